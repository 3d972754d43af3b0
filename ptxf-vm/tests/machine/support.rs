//! Texts out of a few lines, and machines that run them.

use ptxf_vm::{Arg, Buffer, Entry, Fault, Machine, Module};

/// Returns a module for a new device.
pub(crate) fn module(version: &str, target: &str, rest: &str) -> String {
    format!(".version {version}\n.target {target}\n.address_size 64\n{rest}")
}

/// Returns an entry with registers of every width and these statements.
pub(crate) fn entry(name: &str, parameters: &str, body: &str) -> String {
    format!(
        ".visible .entry {name}({parameters})\n{{\n.reg .pred %p<9>;\n.reg .b16 %h<30>;\n.reg .b32 %r<40>;\n.reg .b64 \
         %rd<40>;\n{body}\nret;\n}}\n"
    )
}

/// Returns a machine with the only entry of a text.
pub(crate) fn load(text: &str, name: &str) -> (Machine, Entry) {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut machine = Machine::new();
    let program = machine.load(&module).unwrap_or_else(|e| panic!("{e}"));
    let entry = program.entry(name).unwrap_or_else(|e| panic!("{e}\n{text}"));
    (machine, entry)
}

/// Runs statements as an entry `k` with a parameter `x`, whose address is in `%rd1`. Returns the
/// buffer after the launch.
pub(crate) fn run(body: &str, threads: u32, x: &[u32]) -> Result<Vec<u32>, Fault> {
    run_with("", body, threads, x)
}

/// Runs statements like [`run`], with items in the module before the entry.
pub(crate) fn run_with(items: &str, body: &str, threads: u32, x: &[u32]) -> Result<Vec<u32>, Fault> {
    let text = module(
        "8.8",
        "sm_100",
        &format!("{items}\n{}", entry("k", ".param .u64 x", &format!("ld.param.u64 %rd1, [x];\n{body}"))),
    );
    let (mut machine, entry) = load(&text, "k");
    let x: Buffer = machine.buffer(x);
    machine.launch(&entry, 1, threads, 0, &[Arg::from(x)])?;
    machine.values(x)
}

/// Statements that set `%r1` to the thread's number, and `%rd2` to the address of its word.
pub(crate) const OWN_WORD: &str = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n";
