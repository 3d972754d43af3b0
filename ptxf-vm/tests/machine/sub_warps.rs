//! Instructions among the lanes of a part of a warp: each mask is a group of its own.

use std::num::NonZeroUsize;

use ptxf_vm::{Arg, Check, FaultKind, Machine, Module};

use crate::support::{OWN_WORD, entry, module, run};

#[test]
fn groups_of_one_instruction_have_their_own_masks() {
    // Cooperative groups of eight.
    let tiles = "and.b32 %r2, %r1, 24;\nshl.b32 %r3, 255, %r2;\nshfl.sync.idx.b32 %r9, %r1, 3, 0x181f, %r3;\n\
                 st.global.u32 [%rd2], %r9;";
    let found = run(&format!("{OWN_WORD}{tiles}"), 32, &[0; 32]).unwrap();
    assert_eq!(found, (0..32).map(|t| (t & 24) + 3).collect::<Vec<u32>>());
}

#[test]
fn equal_masks_meet_at_different_places() {
    let halves = "setp.lt.u32 %p1, %r1, 16;\nand.b32 %r2, %r1, 3;\n@%p1 bra low;\n\
                  match.any.sync.b32 %r9, %r2, -1;\nbra end;\nlow: mov.u32 %r5, %r2;\n\
                  match.any.sync.b32 %r9, %r5, -1;\nend: st.global.u32 [%rd2], %r9;";
    let found = run(&format!("{OWN_WORD}{halves}"), 32, &[0; 32]).unwrap();
    assert_eq!(found, (0..32).map(|t| 0x1111_1111 << (t & 3)).collect::<Vec<u32>>());
    // The qualifiers have to be the same.
    let unlike = halves.replace("%r9, %r2", "%r9|%p2, %r2").replacen("match.any", "match.all", 1);
    let fault = run(&format!("{OWN_WORD}{unlike}"), 32, &[0; 32]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Deadlock, "{fault}");
}

#[test]
fn a_group_waits_for_its_own_lanes_only() {
    // Lanes 8 and up loop before they come; the first group goes on meanwhile.
    let body = "shr.u32 %r2, %r1, 3;\nshl.b32 %r3, %r2, 3;\nshl.b32 %r3, 255, %r3;\nmov.u32 %r4, 0;\n\
                turn: setp.ge.u32 %p1, %r4, %r2;\n@%p1 bra meet;\nadd.u32 %r4, %r4, 1;\nbra turn;\n\
                meet: redux.sync.add.u32 %r9, %r1, %r3;\nst.global.u32 [%rd2], %r9;";
    let found = run(&format!("{OWN_WORD}{body}"), 32, &[0; 32]).unwrap();
    assert_eq!(found, (0..32).map(|t| 28 + 64 * (t / 8)).collect::<Vec<u32>>());
}

/// The words that each lane has and returns.
const IN: usize = 5;
const OUT: usize = 6;

/// Runs a few instructions at one of three equal places, or exits.
fn places() -> String {
    let place = |name: &str| {
        format!(
            "{name}:\nshfl.sync.idx.b32 %r11, %r5, %r6, 31, %r3;\nvote.sync.ballot.b32 %r12, %p1, %r3;\n\
             match.any.sync.b32 %r13, %r7, %r3;\nbar.warp.sync %r3;\nredux.sync.add.u32 %r14, %r5, %r3;\n\
             vote.sync.all.pred %p2, %p1, %r3;\nselp.u32 %r15, 1, 0, %p2;\n\
             match.all.sync.b32 %r16|%p3, %r7, %r3;\nbra end;\n"
        )
    };
    let load: String = (0..IN).map(|i| format!("ld.global.u32 %r{}, [%rd2+{}];\n", 3 + i, 4 * i)).collect();
    let store: String = (0..OUT).map(|i| format!("st.global.u32 [%rd3+{}], %r{};\n", 4 * i, 11 + i)).collect();
    let body = format!(
        "ld.param.u64 %rd1, [x];\nld.param.u64 %rd4, [y];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n\
         mad.lo.u32 %r1, %r2, 32, %r1;\nmad.wide.u32 %rd2, %r1, {}, %rd1;\nmad.wide.u32 %rd3, %r1, {}, %rd4;\n{load}\
         and.b32 %r8, %r5, 1;\nsetp.ne.u32 %p1, %r8, 0;\nsetp.eq.u32 %p4, %r4, 3;\n@%p4 exit;\n\
         setp.eq.u32 %p4, %r4, 2;\n@%p4 bra c;\nsetp.eq.u32 %p4, %r4, 1;\n@%p4 bra b;\n{}{}{}end:\n{store}",
        4 * IN,
        4 * OUT,
        place("a"),
        place("b"),
        place("c"),
    );
    module("8.8", "sm_100", &entry("k", ".param .u64 x, .param .u64 y", &body))
}

/// Random masks, places and values: each lane's mask, place, value, the lane it reads, and a small
/// value.
fn warps(count: usize, seed: u64) -> Vec<[[u32; IN]; 32]> {
    let mut state = seed;
    let mut random = move |end: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((state >> 33) % end) as u32
    };
    let warp = |_| {
        let groups = 1 + random(6);
        let own: [u32; 32] = std::array::from_fn(|_| random(groups.into()));
        let spread = 1 + random(4);
        let place: [u32; 32] = std::array::from_fn(|_| random(spread.into()));
        std::array::from_fn(|lane| {
            let members = (0..32).filter(|&l| own[l] == own[lane]);
            let mask = members.clone().fold(0, |mask, l| mask | 1 << l);
            let there: Vec<usize> = members.filter(|&l| place[l] != 3).collect();
            let from = if there.is_empty() { 0 } else { there[random(there.len() as u64) as usize] as u32 };
            [mask, place[lane], random(1 << 30), from, random(3)]
        })
    };
    (0..count).map(warp).collect()
}

/// Returns what a lane finds, from the manual's definitions.
fn expected(warp: &[[u32; IN]; 32], lane: usize) -> [u32; OUT] {
    let [mask, place, _, from, small] = warp[lane];
    if place == 3 {
        return [0; OUT];
    }
    let there = (0..32).filter(|&l| mask >> l & 1 != 0 && warp[l][1] != 3);
    let with = |is: &dyn Fn(&[u32; IN]) -> bool| there.clone().filter(|&l| is(&warp[l])).fold(0, |m, l| m | 1 << l);
    let all = with(&|_| true);
    let same = with(&|other| other[4] == small);
    let ballot = with(&|other| other[2] & 1 != 0);
    let sum = there.clone().fold(0_u32, |sum, l| sum.wrapping_add(warp[l][2]));
    [warp[from as usize][2], ballot, same, sum, u32::from(ballot == all), if same == all { all } else { 0 }]
}

#[test]
fn random_groups_find_what_the_manual_defines() {
    let long = std::env::var("PTXF_TESTS").is_ok_and(|v| v == "long");
    let warps = warps(if long { 1 << 15 } else { 1 << 9 }, 7);
    let words: Vec<u32> = warps.iter().flatten().flatten().copied().collect();
    let module = Module::parse(&places()).unwrap();
    for (check, seed) in
        [(Check::Memory, None), (Check::Race, None), (Check::Memory, Some(3)), (Check::Memory, Some(4))]
    {
        let mut machine = Machine::new().check(check).threads(NonZeroUsize::new(2).unwrap());
        machine.set_schedule(seed);
        let entry = machine.load(&module).unwrap().entry("k").unwrap();
        let (x, y) = (machine.buffer(&words), machine.buffer(&vec![0_u32; warps.len() * 32 * OUT]));
        machine.launch(&entry, warps.len() as u32, 32, 0, &[Arg::from(x), Arg::from(y)]).unwrap();
        assert!(machine.reports().is_empty(), "{}", machine.reports()[0]);
        let found = machine.values::<u32>(y).unwrap();
        for (at, found) in found.chunks(OUT).enumerate() {
            let warp = &warps[at / 32];
            assert_eq!(found, expected(warp, at % 32), "{check:?} {seed:?} lane {} of {warp:x?}", at % 32);
        }
    }
}
