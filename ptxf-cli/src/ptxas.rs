//! `ptxf ptxas`, `ptxf nvlink` and `ptxf nvcc`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use crate::Failure;

/// Wrap PTX for programs that expect machine code: a stand-in for NVIDIA's assembler.
///
/// The result is the PTX in a container, which the driver of `ptxf cuda` loads. Options of NVIDIA's
/// assembler are accepted, and have no effect.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true, after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The words of an assembler's command line: -o FILE, a file of PTX, and other options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
    words: Vec<OsString>,
}

const AFTER_HELP: &str = "\
`ptxf cuda` puts this command into PATH as `ptxas`, and into TRITON_PTXAS_PATH.

Example:
  ptxf ptxas -arch=sm_90 k.ptx -o k.cubin

Exit codes: 0, or 255 for an error, as NVIDIA's assembler has them.";

/// The status that NVIDIA's assembler has after an error.
const WRONG: u8 = 255;

/// The release of CUDA whose assembler this command stands in for. Its PTX is the newest that
/// `ptxf` reads.
const RELEASE: &str = "13.5";

/// Options with a value in the next word. Other options have it after `=`, in the word itself, or
/// not at all.
const WITH_VALUE: [&str; 12] = [
    "-arch",
    "--gpu-name",
    "-o",
    "--output-file",
    "-O",
    "--opt-level",
    "-m",
    "--machine",
    "-maxrregcount",
    "--maxrregcount",
    "-dlcm",
    "-fmad",
];

/// The files of a command line.
#[derive(Debug, Default, PartialEq)]
struct Files {
    inputs: Vec<PathBuf>,
    output: Option<PathBuf>,
}

/// Returns the files of a command line. These options have a value in the next word.
fn files(words: &[OsString], with_value: &[&str]) -> Result<Files, String> {
    let mut found = Files::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if let Some(path) = text.strip_prefix("--output-file=").or_else(|| text.strip_prefix("-o=")) {
            found.output = Some(path.into());
        } else if with_value.contains(&&*text) {
            let value = words.next().ok_or_else(|| format!("{text} lacks its value"))?;
            if ["-o", "--output-file"].contains(&&*text) {
                found.output = Some(value.into());
            }
        } else if !text.starts_with('-') {
            found.inputs.push(word.into());
        }
    }
    Ok(found)
}

/// Runs a stand-in for a tool: prints its version, or works on the files of a command line.
fn tool(
    (name, does): (&str, &str),
    args: &Args,
    out: &mut impl Write,
    work: impl FnOnce() -> Result<(), String>,
) -> Result<ExitCode, Failure> {
    if args.words.iter().any(|word| ["--version", "-V"].iter().any(|known| word == known)) {
        writeln!(out, "{name}: `ptxf {name}`, which {does} PTX for `ptxf cuda`")?;
        writeln!(out, "Cuda compilation tools, release {RELEASE}, V{RELEASE}.0")?;
        return Ok(ExitCode::SUCCESS);
    }
    match work() {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(message) => {
            crate::say(&format!("{name} fatal   : {message}"));
            Ok(ExitCode::from(WRONG))
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    tool(("ptxas", "wraps"), args, out, || wrap(&files(&args.words, &WITH_VALUE)?))
}

/// Wraps a file of PTX without errors.
fn wrap(files: &Files) -> Result<(), String> {
    let input = match &files.inputs[..] {
        [] => return Err("a file of PTX is expected".to_owned()),
        [input] => input,
        [first, second, ..] => {
            return Err(format!("two files of PTX, {} and {}: write one", first.display(), second.display()));
        }
    };
    let text = String::from_utf8(read(input)?).map_err(|_| format!("{} is not UTF-8", input.display()))?;
    write(
        text.trim_end_matches('\0'),
        &input.display().to_string(),
        files.output.as_deref().unwrap_or("elf.o".as_ref()),
    )
}

fn read(input: &Path) -> Result<Vec<u8>, String> {
    fs::read(input).map_err(|error| format!("{}: {error}", input.display()))
}

/// Writes PTX without errors in a container. `of` names the input in messages.
fn write(text: &str, of: &str, output: &Path) -> Result<(), String> {
    let check = || ptxf_vm::Machine::new().load(&ptxf_vm::Module::parse(text)?)?.check();
    check().map_err(|error| format!("{of}: {error}"))?;
    fs::write(output, ptxf_cuda::wrapped(text)).map_err(|error| format!("{}: {error}", output.display()))
}

/// Link PTX for programs that expect machine code: a stand-in for NVIDIA's linker.
///
/// The inputs are files of PTX, what `ptxf ptxas` wrote, and objects of `nvcc -dc` that have PTX.
/// The result is one PTX in a container, which the driver of `ptxf cuda` loads. Libraries (-l and
/// files that end with .a) and other options are accepted, and have no effect.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true, after_help = AFTER_NVLINK)]
pub(crate) struct NvlinkArgs {
    #[command(flatten)]
    args: Args,
}

const AFTER_NVLINK: &str = "\
`ptxf cuda` puts this command into PATH as `nvlink`.

Example:
  ptxf nvlink -arch=sm_90 a.cubin b.o -o k.cubin

Exit codes: 0, or 255 for an error, as NVIDIA's linker has them.";

/// Options of the linker with a value in the next word.
const LINKS_WITH_VALUE: [&str; 18] = [
    "-arch",
    "--arch",
    "-o",
    "--output-file",
    "-m",
    "--machine",
    "-L",
    "--library-path",
    "-l",
    "--library",
    "-maxrregcount",
    "--maxrregcount",
    "-cpu-arch",
    "--cpu-arch",
    "--host-ccbin",
    "-Xptxas",
    "--Xptxas",
    "--register-link-binaries",
];

pub(crate) fn nvlink(args: &NvlinkArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    tool(("nvlink", "links"), &args.args, out, || link(&files(&args.args.words, &LINKS_WITH_VALUE)?))
}

/// Links files into a container.
fn link(files: &Files) -> Result<(), String> {
    if files.inputs.is_empty() {
        return Err("files with PTX are expected".to_owned());
    }
    let inputs = files.inputs.iter().map(|input| read(input)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = files.inputs.iter().map(|input| input.display().to_string()).collect();
    let names = names.join(", ");
    let text = ptxf_cuda::linked(inputs).map_err(|message| format!("{names}: {message}"))?;
    write(&text, &names, files.output.as_deref().unwrap_or("a.out".as_ref()))
}

/// Compile CUDA C++ by NVIDIA's `nvcc`, with PTX in the place of machine code.
///
/// With `-cubin`, the result is the PTX in a container, which the driver of `ptxf cuda` loads.
/// Other command lines are passed on without a change.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true, after_help = "`ptxf cuda` puts this command into PATH as `nvcc`.")]
pub(crate) struct NvccArgs {
    /// The words of a command line of `nvcc`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
    words: Vec<OsString>,
}

const CUBIN: [&str; 2] = ["-cubin", "--cubin"];
const DEVICE_LINK: [&str; 2] = ["-dlink", "--device-link"];

/// The file that marks the folder of stand-ins, so that `nvcc` does not start itself.
const MARK: &str = "ptxf-stand-ins";

pub(crate) fn nvcc(args: &NvccArgs) -> Result<ExitCode, Failure> {
    let Some(program) = real_nvcc() else {
        return Err(Failure::Input("NVIDIA's nvcc is in no folder of PATH: install it, or add its folder".to_owned()));
    };
    let is_cubin = |word: &OsString| CUBIN.iter().any(|known| word == known);
    let run = |words: &[OsString]| {
        let status = Command::new(&program).args(words).status();
        status.map_err(|error| Failure::Input(format!("{}: {error}", program.display())))
    };
    // Its own linker makes machine code, which is no PTX.
    let links = args.words.iter().any(|word| DEVICE_LINK.iter().any(|known| word == known));
    if links || !args.words.iter().any(is_cubin) {
        return Ok(crate::cuda::code(run(&args.words)?));
    }
    let mut words: Vec<OsString> = args.words.iter().filter(|word| !is_cubin(word)).cloned().collect();
    let output = match words.iter().position(|word| ["-o", "--output-file"].iter().any(|known| word == known)) {
        Some(at) if at + 1 < words.len() => PathBuf::from(words.drain(at..at + 2).nth(1).unwrap_or_default()),
        _ => {
            let source = words.iter().map(Path::new).find(|word| word.extension().is_some_and(|e| e == "cu"));
            let name = source.and_then(Path::file_name).unwrap_or("a.cu".as_ref());
            Path::new(name).with_extension("cubin")
        }
    };
    // nvcc writes the PTX to the place of the machine code.
    words.extend(["-ptx".into(), "-o".into(), output.clone().into()]);
    let status = run(&words)?;
    if !status.success() {
        return Ok(crate::cuda::code(status));
    }
    wrap(&Files { inputs: vec![output.clone()], output: Some(output) }).map_err(Failure::Input)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes a folder of tools with stand-ins among them, and returns the folder with its programs.
///
/// Programs look for CUDA's other files beside `nvcc`: if there is one, the folder has links to
/// them.
pub(crate) fn stand_ins(folder: &Path) -> io::Result<PathBuf> {
    let tools = folder.join("bin");
    fs::create_dir_all(&tools)?;
    fs::write(tools.join(MARK), "")?;
    let command = env::current_exe()?;
    let command = command.display().to_string().replace('\'', r"'\''");
    let real = real_nvcc().and_then(|file| file.canonicalize().ok());
    for name in ["ptxas", "nvlink", "nvcc"].into_iter().filter(|name| *name != "nvcc" || real.is_some()) {
        let file = tools.join(name);
        fs::write(&file, format!("#!/bin/sh\nexec '{command}' {name} \"$@\"\n"))?;
        #[cfg(unix)]
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    }
    // The toolkit's own `nvcc` lies beside its settings, unlike a system's in /usr/bin.
    let bin = real.as_deref().and_then(Path::parent).filter(|bin| bin.join("nvcc.profile").is_file());
    if let Some(toolkit) = bin.and_then(Path::parent) {
        for entry in toolkit.read_dir()?.flatten().filter(|entry| entry.file_name() != "bin") {
            #[cfg(unix)]
            std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name()))?;
            #[cfg(not(unix))]
            drop(entry);
        }
    }
    Ok(tools)
}

/// Returns NVIDIA's `nvcc` of PATH.
fn real_nvcc() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).filter(|folder| !folder.join(MARK).exists());
    places.map(|folder| folder.join("nvcc")).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_between_options() {
        let of = |words: &str| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let output = |files: &Files| files.output.clone().unwrap_or_default();
            files(&words, &WITH_VALUE).map(|files| [files.inputs[0].clone(), output(&files)])
        };
        let both = Ok(["k.ptx", "k.cubin"].map(PathBuf::from));
        for words in [
            "-arch=sm_90 -m64 k.ptx -o k.cubin",
            "-lineinfo -v --gpu-name=sm_90a k.ptx -o k.cubin",
            "-o k.cubin -arch sm_90 -O 3 --fmad=false k.ptx",
            "-O3 k.ptx --output-file=k.cubin",
        ] {
            assert_eq!(of(words), both, "{words}");
        }
        assert_eq!(of("k.ptx").unwrap()[1], PathBuf::new());
        assert!(of("k.ptx -o").unwrap_err().contains("-o lacks its value"));
        // As nvcc writes it.
        let link = "-m64 --arch=sm_90 --register-link-binaries=r.c -L/lib -cpu-arch=X86_64 a.o b.cubin -lcudadevrt -L lib -o \
                    k.cubin --host-ccbin gcc";
        let words: Vec<OsString> = link.split_whitespace().map(OsString::from).collect();
        let found = files(&words, &LINKS_WITH_VALUE).unwrap();
        assert_eq!(found, Files { inputs: vec!["a.o".into(), "b.cubin".into()], output: Some("k.cubin".into()) });
        let two = Files { inputs: vec!["a.ptx".into(), "b.ptx".into()], output: None };
        assert!(wrap(&two).unwrap_err().contains("a.ptx and b.ptx"));
    }

    #[test]
    fn files_are_linked_into_one_container() {
        let folder = env::temp_dir().join(format!("ptxf-nvlink-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let head = ".version 7.8\n.target sm_80\n.address_size 64\n";
        let caller = format!("{head}.extern .func f();\n.visible .entry k() {{ call f; ret; }}\n");
        let callee = format!("{head}.visible .func f() {{ ret; }}\n");
        let [a, b, k] = ["a.ptx", "b.cubin", "k.cubin"].map(|name| folder.join(name));
        fs::write(&a, &caller).unwrap();
        fs::write(&b, ptxf_cuda::wrapped(&callee)).unwrap();
        let done = link(&Files { inputs: vec![a, b.clone()], output: Some(k.clone()) });
        let text = ptxf_cuda::linked(vec![fs::read(&k).unwrap()]).unwrap();
        let module = ptxf_vm::Module::parse(&text).unwrap();
        let mut machine = ptxf_vm::Machine::new();
        let entry = machine.load(&module).unwrap().entry("k").unwrap();
        let ran = machine.launch(&entry, 1, 1, 0, &[]);
        fs::write(&b, b"\x7fELF").unwrap();
        let code = link(&Files { inputs: vec![b], output: Some(k) });
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((done, ran.is_ok(), text.matches(".version").count()), (Ok(()), true, 1));
        assert!(code.unwrap_err().contains("b.cubin: "));
    }
}
