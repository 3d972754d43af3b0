//! Makes a failing kernel smaller.
//!
//! A round tries changes of the kernel's tape: it leaves parts out, replaces a part by one inside
//! of it, or makes a choice simpler. Compiling many kernels takes little longer than compiling one,
//! so a round tries many changes at once, and then those together that keep the failure. The search
//! ends when no single change keeps it.
//!
//! proptest would try one kernel after the other, and a build takes eight seconds. In its
//! sequences, leaving out one choice would change all later ones. A tree keeps the other parts.

use std::collections::HashSet;

use super::Sample;
use super::tape::{LIST, Node};

/// The number of kernels that are tried at once.
const AT_ONCE: usize = 32;

/// Returns the smallest kernel that was found to fail. `fails` returns `true` for each kernel that
/// fails, or `None` to end the search. The kernels have numbers from 0 on.
///
/// # Errors
///
/// Returns the errors of `fails`.
pub fn shrink<E>(failing: &Sample, fails: impl FnMut(&[Sample]) -> Result<Option<Vec<bool>>, E>) -> Result<Sample, E> {
    let (mut best, mut search) = (failing.clone(), Search { tried: HashSet::new(), fails });
    'round: loop {
        let singles = changes(&best.tape).into_iter().map(|change| Try::of(&best, vec![change])).collect();
        for some in search.sorted(singles, &best).chunks(AT_ONCE) {
            let Some(kept) = search.failing(some)? else { break 'round };
            let Some(first) = kept.first() else { continue };
            // All of the changes, the half that gains most, a quarter of them.
            let counts = std::iter::successors(Some(kept.len()), |n| Some(n / 2)).take_while(|n| *n > 1);
            let changes = |n: usize| kept[..n].iter().flat_map(|t| t.changes.clone()).collect();
            let together = counts.map(|n| Try::of(&best, apart(changes(n)))).collect();
            let together = search.failing(&search.sorted(together, &first.sample))?;
            best = together.as_ref().and_then(|together| together.first()).unwrap_or(first).sample.clone();
            if together.is_none() {
                break 'round;
            }
            continue 'round;
        }
        break;
    }
    Ok(best.numbered(failing.kernel.number))
}

struct Search<F> {
    tried: HashSet<String>,
    fails: F,
}

impl<F> Search<F> {
    /// Returns those that are smaller than a kernel and were not tried, the smallest first.
    fn sorted(&self, mut tries: Vec<Try>, than: &Sample) -> Vec<Try> {
        let measure = |sample: &Sample| (text(sample).len(), sample.tape.size());
        let most = measure(than);
        tries.retain(|t| measure(&t.sample) < most && !self.tried.contains(&t.text));
        tries.sort_by_cached_key(|t| (measure(&t.sample), t.text.clone()));
        tries.dedup_by(|a, b| a.text == b.text);
        tries
    }

    /// Returns those that fail, in their order, or `None` at the end of the search.
    fn failing<E>(&mut self, tries: &[Try]) -> Result<Option<Vec<Try>>, E>
    where
        F: FnMut(&[Sample]) -> Result<Option<Vec<bool>>, E>,
    {
        self.tried.extend(tries.iter().map(|t| t.text.clone()));
        let samples: Vec<Sample> = tries.iter().enumerate().map(|(i, t)| t.sample.numbered(i)).collect();
        let still = if samples.is_empty() { Some(Vec::new()) } else { (self.fails)(&samples)? };
        Ok(still.map(|still| tries.iter().zip(still).filter(|(_, fails)| *fails).map(|(t, _)| t.clone()).collect()))
    }
}

/// A changed kernel.
#[derive(Clone, Debug)]
struct Try {
    changes: Vec<Change>,
    sample: Sample,
    /// The kernel without its name.
    text: String,
}

impl Try {
    /// Applies changes, none of which is inside of another one.
    fn of(sample: &Sample, mut changes: Vec<Change>) -> Self {
        changes.sort_by(|a, b| b.path.cmp(&a.path));
        // The last one first, so that the places of the others stay.
        let tape = changes.iter().fold(sample.tape.clone(), |mut root, Change { path, by }| {
            match path.split_last() {
                None => root = by[0].clone(),
                Some((&last, path)) => {
                    let node = path.iter().fold(&mut root, |node, &i| &mut node.parts[i]);
                    node.parts.splice(last..=last, by.iter().cloned());
                }
            }
            root
        });
        let sample = sample.with(0, tape);
        Self { changes, text: text(&sample), sample }
    }
}

fn text(sample: &Sample) -> String {
    let (_, item) = sample.item.split_once('(').expect("a function has parameters");
    format!("{}{item}", sample.options)
}

/// Nodes in place of one.
#[derive(Clone, Debug)]
struct Change {
    /// The position among the parts of each node around it.
    path: Vec<usize>,
    by: Vec<Node>,
}

/// Returns the changes of which none is inside of an earlier one.
fn apart(changes: Vec<Change>) -> Vec<Change> {
    let mut taken: Vec<Change> = Vec::new();
    for change in changes {
        if !taken.iter().any(|t| t.path.starts_with(&change.path) || change.path.starts_with(&t.path)) {
            taken.push(change);
        }
    }
    taken
}

/// Returns all changes of a tree.
fn changes(root: &Node) -> Vec<Change> {
    let mut all = Vec::new();
    of_node(root, &[], false, &mut all);
    all
}

fn of_node(node: &Node, path: &[usize], in_list: bool, all: &mut Vec<Change>) {
    let mut change = |by: Vec<Node>| all.push(Change { path: path.to_vec(), by });
    let Node { kind, choices, parts } = node;
    if in_list {
        change(Vec::new());
    }
    change(vec![Node::new(*kind)]);
    let mut inner = Vec::new();
    inside(node, *kind, &mut inner);
    if in_list && inner.len() > 1 {
        change(inner.clone());
    }
    inner.into_iter().for_each(|part| change(vec![part]));
    if *kind == LIST && parts.len() > 2 {
        let half = parts.len() / 2;
        let kept = (0..parts.len()).map(|i| i..i + 1).chain([0..half, half..parts.len()]);
        kept.for_each(|kept| change(vec![Node { parts: parts[kept].to_vec(), ..node.clone() }]));
    }
    for (i, &choice) in choices.iter().enumerate() {
        for less in [0, choice / 2, choice.saturating_sub(1)].into_iter().take(choice.min(3) as usize) {
            let mut node = node.clone();
            node.choices[i] = less;
            change(vec![node]);
        }
    }
    for (i, part) in parts.iter().enumerate() {
        of_node(part, &[path, &[i]].concat(), *kind == LIST, all);
    }
}

/// Collects the outermost nodes of a kind inside of a node.
fn inside(node: &Node, kind: char, found: &mut Vec<Node>) {
    for part in &node.parts {
        if part.kind == kind {
            found.push(part.clone());
        } else {
            inside(part, kind, found);
        }
    }
}
