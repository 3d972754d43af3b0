//! A property of all texts. `fuzz/` checks it on random bytes without end, and a test checks a
//! sample.

use crate::{AddressMode, Arg, Channel, Check, Filter, Filtering, Machine, Module, Sampler, Texels, Texture};

/// Lengths that no message exceeds, in bytes.
const LONGEST_ERROR: usize = 4000;
const LONGEST_FAULT: usize = 20_000;

/// Checks that a text is refused, or that each launch of its entries ends in a result or a fault.
///
/// # Panics
///
/// Panics if the property does not hold.
pub fn machine(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(module) = Module::parse(&text) else { return };
    // The length of the text chooses the check and the order.
    let (check, seed) =
        if text.len().is_multiple_of(2) { (Check::Memory, None) } else { (Check::Race, Some(text.len() as u64)) };
    let mut machine = Machine::new().check(check);
    machine.set_limit(2000);
    machine.set_schedule(seed);
    machine.set_output(|_| {});
    _ = machine.set_heap(4096);
    // A third of the texts run in clusters of two blocks. The other launch is then refused.
    if text.len().is_multiple_of(3) {
        machine.set_cluster(2);
    }
    let Ok(program) = machine.load(&module) else { return };
    for name in module.entries().take(4) {
        let entry = match program.entry(name) {
            Ok(entry) => entry,
            Err(error) => {
                assert!(error.to_string().len() < LONGEST_ERROR, "{error}");
                continue;
            }
        };
        let x = machine.buffer(&[1_u32; 64]);
        let [texture, surface] = objects(&mut machine, x.address(), text.len());
        let handles = [vec![Arg::from(texture)], vec![Arg::from(surface)]];
        for args in [vec![Arg::from(x)], vec![], vec![Arg::from(x), Arg::from(7_u32)]].into_iter().chain(handles) {
            let ends = [
                machine.launch(&entry, 2, 40, 64, &args),
                machine.launch(&entry, 1, 128, 64, &args),
                machine.count(&entry, 2, 40, 64, &args).map(|counts| _ = counts.total()),
                machine.births(&entry, 2, 40, 64, &args, None),
                machine.record(&entry, 2, 40, 64, &args, &Filter::default()).map(|recording| {
                    assert_eq!(recording.compare(&recording, 0.0).first, None);
                }),
            ];
            for fault in ends.into_iter().filter_map(Result::err) {
                assert!(fault.to_string().len() < LONGEST_FAULT);
            }
            for report in machine.reports() {
                assert!(report.line() > 0 && report.to_string().len() < LONGEST_FAULT);
            }
        }
    }
}

/// Makes a texture and a surface of 256 bytes at an address. A number chooses their kind; some
/// textures have more texels than the memory.
fn objects(machine: &mut Machine, address: u64, number: usize) -> [u64; 2] {
    let texels = match number % 5 {
        0 => Texels::linear(address, Channel::U32, 1, 64),
        1 => Texels::pitched(address, Channel::F16, 2, 5, 4, 32),
        2 => Texels::array(address, Channel::F32, 4, &[3, 9], None),
        3 => Texels::array(address, Channel::S8, 2, &[4, 4, 4], None),
        _ => Texels::array(address, Channel::U16, 4, &[3, 3], Some(3)),
    };
    let texels = texels.expect("the texels are right");
    let sampler = Sampler {
        modes: [AddressMode::Mirror, AddressMode::Border, AddressMode::Wrap],
        filter: if number.is_multiple_of(5) { Filtering::Point } else { Filtering::Linear },
        normalized: number % 2 == 1,
    };
    let texture = machine.add_texture(Texture::new(texels, sampler, true).expect("the texture is right"));
    [texture, machine.add_surface(texels).unwrap_or(0)]
}
