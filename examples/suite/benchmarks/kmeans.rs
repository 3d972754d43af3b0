//! k-means on handwritten digits: the kernel finds each image's nearest centre, the host moves
//! centres.
//!
//! Some threads of a group replace the nearest centre so far, a float and an integer, others do
//! not.

use std::time::Duration;

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::digits::{self, PIXELS};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::pairs::{self, packed};
use crate::real::rounded;

include!("../kernels/kmeans.rs");

/// Number of clusters, one per digit.
const K: usize = 10;

pub struct Kmeans {
    images: Vec<[f32; PIXELS]>,
    /// The images, ordered by pixel, then by image.
    by_pixel: Vec<f32>,
    rounds: usize,
    reference: Vec<i32>,
}

impl Kmeans {
    pub fn new(size: Size) -> Self {
        let images = digits::images();
        let count = size.elements(2 * PIXELS + 4, size.pick(64 * images.len() + 1, images.len(), 301));
        let images: Vec<_> = images.iter().copied().cycle().take(count).collect();
        let by_pixel = (0..PIXELS).flat_map(|j| images.iter().map(move |image| image[j])).collect();
        let mut kmeans = Self { images, by_pixel, rounds: size.launches(size.pick(8, 8, 3)), reference: Vec::new() };
        kmeans.reference = size.reference(|| kmeans.members());
        kmeans
    }

    /// Returns the members in f64.
    fn members(&self) -> Vec<i32> {
        let (mut centres, mut members) = (self.first_centres(), Vec::new());
        for _ in 0..self.rounds {
            members = self.images.iter().map(|image| nearest(image, &centres)).collect();
            self.move_centres(&members, &mut centres);
        }
        members
    }

    /// Returns the first images as centres.
    fn first_centres(&self) -> Vec<[f64; PIXELS]> {
        self.images[..K].iter().map(|image| image.map(f64::from)).collect()
    }

    /// Moves each centre to the mean of its members.
    fn move_centres(&self, members: &[i32], centres: &mut [[f64; PIXELS]]) {
        for (i, centre) in centres.iter_mut().enumerate() {
            let members = self.images.iter().zip(members).filter(|(_, m)| **m == i as i32);
            let count = members.clone().count();
            if count > 0 {
                *centre = std::array::from_fn(|j| {
                    members.clone().map(|(image, _)| f64::from(image[j])).sum::<f64>() / count as f64
                });
            }
        }
    }

    /// Returns the sum of the squared distances between images and the means of their clusters.
    fn inertia(&self, members: &[i32]) -> f64 {
        let mut centres = self.first_centres();
        self.move_centres(members, &mut centres);
        self.images.iter().zip(members).map(|(image, &m)| distance(image, &centres[m as usize])).sum()
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let n = self.images.len();
        let x = rounded::<E>(&self.by_pixel);
        self.iterate(n, |c, member| {
            let c: Vec<E> = rounded(c);
            launch.time(|| E::assign(launch, launch.grid(n), n, K, PIXELS, &x, &c, member))
        })
    }

    /// Iterates: `assign` writes the members to a buffer of `places` elements, then the centres
    /// move.
    fn iterate(&self, places: usize, mut assign: impl FnMut(&[f32], &mut [i32]) -> Duration) -> Output {
        let mut member = vec![0; places];
        let mut centres = self.first_centres();
        let mut total = Duration::ZERO;
        for round in 0..self.rounds {
            if round > 0 {
                self.move_centres(&member, &mut centres);
            }
            let c: Vec<f32> = centres.iter().flatten().map(|&c| c as f32).collect();
            total += assign(&c, &mut member);
        }
        Output::new(total).ints("member", &member[..self.images.len()])
    }
}

impl Benchmark for Kmeans {
    fn name(&self) -> &'static str {
        "kmeans"
    }

    fn metric(&self) -> &'static str {
        "members elsewhere"
    }

    fn score(&self, output: &Output) -> Score {
        let members: Vec<i32> = output.values("member").iter().map(|&m| m as i32).collect();
        let elsewhere = members.iter().zip(&self.reference).filter(|(a, b)| a != b).count();
        let ratio = self.inertia(&members) / self.inertia(&self.reference);
        Score { error: elsewhere as f64 / members.len() as f64, also: format!("inertia × {ratio:.6}") }
    }

    fn plain(&self) -> Output {
        let n = self.images.len();
        self.iterate(n, |c, member| {
            plain(|| {
                for (image, member) in self.images.iter().zip(member) {
                    let mut best = f32::INFINITY;
                    for (i, centre) in c.chunks(PIXELS).enumerate() {
                        let s = image.iter().zip(centre).fold(0.0, |s, (x, c)| s + (x - c) * (x - c));
                        if s < best {
                            best = s;
                            *member = i as i32;
                        }
                    }
                }
            })
        })
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let n = self.images.len();
        let (x, words) = (packed(&self.by_pixel, n), pairs::pitch(n));
        Some(self.iterate(2 * words, |c, member| {
            let c = rounded(c);
            launch.time(|| by_hand::assign::assign(launch, launch.grid(words), words, K, PIXELS, &x, &c, member))
        }))
    }
}

fn distance(image: &[f32; PIXELS], centre: &[f64; PIXELS]) -> f64 {
    image.iter().zip(centre).map(|(&x, c)| (f64::from(x) - c).powi(2)).sum()
}

/// Returns the first of the nearest centres.
fn nearest(image: &[f32; PIXELS], centres: &[[f64; PIXELS]]) -> i32 {
    let mut best = (f64::INFINITY, 0);
    for (i, centre) in centres.iter().enumerate() {
        let d = distance(image, centre);
        if d < best.0 {
            best = (d, i as i32);
        }
    }
    best.1
}
