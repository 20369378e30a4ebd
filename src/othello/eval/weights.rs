//! Fitted weights and the file that holds them.
//!
//! Layout, little-endian:
//!
//! ```text
//! 0   8  magic "rosebill" with the high bit of the last byte set, so that no text is taken for it
//! 8   4  version of the layout: 1, or 2 where values are stretched
//! 12  4  CRC-32 of the unpacked body
//! 16  .. zstd: the body
//!
//! body: length of the header (u32), the header as JSON (spec, provenance, stretch), then all weights,
//! knot after knot, as i16 in 1/128 disc: first the low bytes of all, then the high bytes.
//! ```

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Stretch;
use super::spec::{Scalar, Spec, told};

use crate::othello::program::ENGINE;
use crate::othello::system_error::in_words;
use crate::othello::whole_file::read_whole;

/// Units of a weight in one disc.
pub(crate) const UNITS_PER_DISC: i32 = 128;

const MAGIC: [u8; 8] = *b"rosebil\xec";
/// The newest version that is read.
const VERSION: u32 = 2;
/// The version of a file that says nothing of a stretch: older programs read it, too.
const PLAIN_VERSION: u32 = 1;
const HEADER_BYTES: usize = 16;
/// More than any spec needs: a damaged length must not ask for all memory.
const LARGEST_BODY: usize = 1 << 28;
/// The longest file of weights.
const MOST_BYTES: u64 = LARGEST_BODY as u64;

/// How weights came to be.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// When they were fitted, as YYYY-MM-DD; empty when not known.
    pub date: String,
    /// The command or program that fitted them.
    pub made_by: String,
    /// Seed of everything random in the fit.
    pub seed: u64,
    /// Games of the training data.
    pub games: u64,
    /// Distinct positions the fit saw.
    pub positions: u64,
    /// Where the labels came from and how many of each.
    pub labels: Vec<(String, u64)>,
    /// Error on games that the fit never saw.
    pub errors: Vec<StageError>,
}

/// The error of an evaluator on positions with so many discs.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StageError {
    /// Fewest discs.
    pub from_discs: u8,
    /// Most discs.
    pub to_discs: u8,
    pub positions: u64,
    /// Mean absolute error in discs.
    pub mean_absolute: f64,
    /// Root mean square error in discs.
    pub root_mean_square: f64,
    /// Mean of value less label, in discs.
    pub bias: f64,
}

/// The weights of a spec: for each knot one weight for each class of each pattern, then the scalar
/// tables, in 1/128 disc.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    spec: Spec,
    provenance: Provenance,
    stretch: Option<Stretch>,
    knots: Vec<Vec<i16>>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    spec: Spec,
    provenance: Provenance,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stretch: Option<Stretch>,
}

/// Weights that cannot be read or written.
#[derive(Debug, Error)]
pub enum WeightsError {
    #[error("{}: {}", path.display(), in_words(cause))]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("{origin}: not a rosebill weights file")]
    Foreign {
        /// Where the bytes came from.
        origin: String,
    },
    /// Written by a newer program.
    #[error(
        "{origin}: weights file of version {found}; this program reads versions up to {VERSION}"
    )]
    Newer {
        /// Where the bytes came from.
        origin: String,
        found: u32,
    },
    #[error("{origin}: damaged weights file: {what}")]
    Damaged {
        /// Where the bytes came from.
        origin: String,
        what: String,
    },
}

impl Weights {
    /// Weights of a spec, one row for each knot.
    pub fn new(
        spec: Spec,
        provenance: Provenance,
        knots: Vec<Vec<i16>>,
    ) -> Result<Self, (usize, usize)> {
        let each = spec.weights_at_knot();
        let expected = each * spec.knots().len();
        let found = knots.iter().map(Vec::len).sum();
        if knots.len() != spec.knots().len() || knots.iter().any(|row| row.len() != each) {
            return Err((expected, found));
        }
        Ok(Self { spec, provenance, stretch: None, knots })
    }

    /// What the weights belong to.
    pub const fn spec(&self) -> &Spec {
        &self.spec
    }

    /// How they came to be.
    pub const fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The same weights with another provenance.
    #[must_use]
    pub(crate) fn with_provenance(self, provenance: Provenance) -> Self {
        Self { provenance, ..self }
    }

    /// How searches' values are stretched; none where that was not measured.
    pub const fn stretch(&self) -> Option<&Stretch> {
        self.stretch.as_ref()
    }

    /// The same weights with another stretch. One that is not sound counts as none.
    #[must_use]
    pub(crate) fn with_stretch(self, stretch: Option<Stretch>) -> Self {
        Self { stretch: stretch.filter(Stretch::is_sound), ..self }
    }

    /// The weights of each knot, in 1/128 disc.
    pub(crate) fn knots(&self) -> &[Vec<i16>] {
        &self.knots
    }

    /// The mean of these weights and others, where `share` of a number of discs is what the others
    /// count there, 0 to 1. Two fits err partly in different places, so that their mean errs less.
    /// The knots of the others may be different ones, at which they know less or more. The stretch is that
    /// of these weights, and nothing is known of the errors. None when patterns or scalars differ.
    pub(crate) fn mixed_with(&self, other: &Self, share: impl Fn(u8) -> f32) -> Option<Self> {
        if !self.are_for(&other.spec) {
            return None;
        }
        let rows = self.spec.knots().iter().zip(&self.knots);
        let knots = rows.map(|(&knot, ours)| {
            let share = share(knot).clamp(0.0, 1.0);
            let mixed =
                |(&a, b): (&i16, f32)| (f32::from(a) * (1.0 - share) + b * share).round() as i16;
            ours.iter().zip(other.at(knot)).map(mixed).collect()
        });
        let named = |weights: &Self| format!("{} {:08x}", weights.spec.name(), weights.checksum());
        let made_by = format!("{ENGINE} train mix {} {}", named(self), named(other));
        // Seed, games, labels and errors are those of other fits.
        let provenance = Provenance { made_by, ..Provenance::default() };
        let spec = self.spec.clone();
        let stretch = self.stretch.clone();
        Some(Self { knots: knots.collect(), spec, provenance, stretch })
    }

    /// Whether a spec has the same patterns and scalars; its knots may be others.
    pub(crate) fn are_for(&self, spec: &Spec) -> bool {
        let ours = &self.spec;
        (ours.patterns(), ours.scalars()) == (spec.patterns(), spec.scalars())
    }

    /// The weights at a number of discs, in 1/128 disc.
    pub(super) fn at(&self, discs: u8) -> impl Iterator<Item = f32> {
        let (low, high, share) = self.spec.between(discs);
        let row = |knot: usize| self.knots.get(knot).map(Vec::as_slice).unwrap_or_default();
        let both = row(low).iter().zip(row(high));
        both.map(move |(&a, &b)| f32::from(a) * (1.0 - share) + f32::from(b) * share)
    }

    /// The same weights with so many units of 1/128 disc added to the constant of each number of
    /// discs. Their errors are not known then. A spec without [`Scalar::Discs`] stays as it is.
    #[must_use]
    pub(crate) fn with_constants_raised(mut self, units: &[i16; 65]) -> Self {
        let scalars = self.spec.scalars();
        if let Some(place) = scalars.iter().position(|&scalar| scalar == Scalar::Discs) {
            let from_there: usize = scalars[place..].iter().map(|scalar| scalar.entries()).sum();
            let first = self.spec.weights_at_knot() - from_there;
            self.provenance.errors.clear();
            for row in &mut self.knots {
                for (weight, units) in row.iter_mut().skip(first).zip(units) {
                    *weight = weight.saturating_add(*units);
                }
            }
        }
        self
    }

    /// Checksum of spec, weights and stretch: the identity of an evaluator.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(serde_json::to_string(&self.spec).unwrap_or_default().as_bytes());
        hasher.update(&self.weight_bytes());
        if let Some(stretch) = &self.stretch {
            hasher.update(serde_json::to_string(stretch).unwrap_or_default().as_bytes());
        }
        hasher.finalize()
    }

    fn weight_bytes(&self) -> Vec<u8> {
        let all = || self.knots.iter().flatten().map(|weight| weight.to_le_bytes());
        all().map(|[low, _]| low).chain(all().map(|[_, high]| high)).collect()
    }

    /// The file as bytes.
    pub fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let (spec, provenance) = (self.spec.clone(), self.provenance.clone());
        let stretch = self.stretch.clone();
        let version = if stretch.is_some() { VERSION } else { PLAIN_VERSION };
        let header = serde_json::to_vec(&Header { spec, provenance, stretch })?;
        let mut body = (header.len() as u32).to_le_bytes().to_vec();
        body.extend(header);
        body.extend(self.weight_bytes());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(zstd::bulk::compress(&body, 19)?);
        Ok(bytes)
    }

    /// Reads a file's bytes. `origin` says where they came from, for error messages.
    pub fn from_bytes(bytes: &[u8], origin: &str) -> Result<Self, WeightsError> {
        let origin = || origin.to_owned();
        let damaged = |what: String| WeightsError::Damaged { origin: origin(), what };
        let Some((head, packed)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(WeightsError::Foreign { origin: origin() });
        };
        let [m0, m1, m2, m3, m4, m5, m6, m7, v0, v1, v2, v3, c0, c1, c2, c3] = *head;
        if [m0, m1, m2, m3, m4, m5, m6, m7] != MAGIC {
            return Err(WeightsError::Foreign { origin: origin() });
        }
        let version = u32::from_le_bytes([v0, v1, v2, v3]);
        if version > VERSION {
            return Err(WeightsError::Newer { origin: origin(), found: version });
        }
        if version < PLAIN_VERSION {
            return Err(damaged(format!("there is no version {version}")));
        }
        let size = zstd::bulk::Decompressor::upper_bound(packed).unwrap_or(LARGEST_BODY);
        let body = zstd::bulk::decompress(packed, size.min(LARGEST_BODY))
            .map_err(|error| damaged(format!("cannot be unpacked ({error})")))?;
        let checksum = u32::from_le_bytes([c0, c1, c2, c3]);
        if crc32fast::hash(&body) != checksum {
            return Err(damaged("the checksum does not fit".to_owned()));
        }
        let (header, weights) =
            split_body(&body).ok_or_else(|| damaged("it ends within its header".to_owned()))?;
        let header: Header =
            serde_json::from_slice(header).map_err(|error| damaged(told(&error)))?;
        if header.stretch.as_ref().is_some_and(|stretch| !stretch.is_sound()) {
            return Err(damaged("its stretch would turn the order of values round".to_owned()));
        }
        if weights.len() % 2 != 0 {
            return Err(damaged("its last weight is half a one".to_owned()));
        }
        let knots = read_weights(weights, &header.spec);
        let read = Self::new(header.spec, header.provenance, knots);
        read.map(|read| read.with_stretch(header.stretch)).map_err(|(expected, found)| {
            damaged(format!("{found} weights where its spec needs {expected}"))
        })
    }

    pub fn read(path: &Path) -> Result<Self, WeightsError> {
        let bytes = read_whole(path, MOST_BYTES)
            .map_err(|cause| WeightsError::Io { path: path.to_owned(), cause })?;
        Self::from_bytes(&bytes, &path.display().to_string())
    }
}

fn split_body(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = body.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

fn read_weights(bytes: &[u8], spec: &Spec) -> Vec<Vec<i16>> {
    let (low, high) = bytes.split_at(bytes.len() / 2);
    let each = spec.weights_at_knot();
    let all: Vec<i16> =
        low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect();
    all.chunks(each).map(<[i16]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Weights {
        let spec = Spec::new("test", &[("corner", "a1 b1")], &[], &[8, 60]).unwrap();
        let knots = vec![(0..9).collect(), (0..9).map(|i| -300 * i).collect()];
        Weights::new(spec, Provenance::default(), knots).unwrap()
    }

    #[test]
    fn a_written_file_reads_back() {
        let bytes = small().to_bytes().unwrap();
        assert_eq!(Weights::from_bytes(&bytes, "test").unwrap(), small());
        // With a stretch they are other weights, in a file that older programs refuse.
        let stretch = Stretch { from: 200, full: 1800, most: vec![(4, 0), (20, 240)] };
        let stretched = small().with_stretch(Some(stretch.clone()));
        let longer = stretched.to_bytes().unwrap();
        assert_eq!(Weights::from_bytes(&longer, "test").unwrap(), stretched);
        assert_eq!((bytes[8], longer[8]), (1, 2));
        assert_ne!(stretched.checksum(), small().checksum());
        let unsound = Stretch { full: 200, ..stretch };
        let damaged = Weights { stretch: Some(unsound), ..small() }.to_bytes().unwrap();
        let message = Weights::from_bytes(&damaged, "w").unwrap_err().to_string();
        assert_eq!(
            message,
            "w: damaged weights file: its stretch would turn the order of values round"
        );
    }

    #[test]
    fn weights_are_mixed_knot_by_knot() {
        let other = Weights { knots: vec![vec![100; 9]; 2], ..small() };
        let mixed = small().mixed_with(&other, |discs| if discs == 8 { 0.5 } else { 1.0 }).unwrap();
        assert_eq!(mixed.knots()[0], (0..9_i16).map(|i| (100 + i + 1) / 2).collect::<Vec<_>>());
        assert_eq!(mixed.knots()[1], other.knots()[1]);
        // Other knots: what those weights are at ours.
        let spec = Spec::new("other", &[("corner", "a1 b1")], &[], &[4, 12, 60]).unwrap();
        let rows = vec![vec![100; 9], vec![300; 9], vec![7; 9]];
        let wider = Weights::new(spec, Provenance::default(), rows).unwrap();
        let fitted = Provenance {
            made_by: "train fit".to_owned(),
            positions: 9,
            errors: vec![StageError::default()],
            ..Provenance::default()
        };
        let mixed = small().mixed_with(&wider.with_provenance(fitted), |_| 1.0).unwrap();
        let made_by = &mixed.provenance().made_by;
        assert!(made_by.contains("train mix test ") && made_by.contains(" other "), "{made_by}");
        let nothing_else = Provenance { made_by: made_by.clone(), ..Provenance::default() };
        assert_eq!(mixed.provenance(), &nothing_else);
        assert_eq!(
            (mixed.spec(), mixed.knots()),
            (small().spec(), &[vec![200; 9], vec![7; 9]][..])
        );
        let spec = Spec::new("test", &[("corner", "a1 b2")], &[], &[8, 60]).unwrap();
        assert_eq!(small().mixed_with(&Weights { spec, ..small() }, |_| 0.5), None);
    }

    #[test]
    fn constants_are_raised_alone() {
        let scalars = [Scalar::Parity, Scalar::Discs, Scalar::MoverMobility];
        let spec = Spec::new("test", &[("corner", "a1 b1")], &scalars, &[8, 60]).unwrap();
        let rows = vec![vec![5; 9 + 2 + 65 + 36]; 2];
        let errors = vec![StageError::default()];
        let provenance = Provenance { positions: 9, errors, ..Provenance::default() };
        let weights = Weights::new(spec, provenance, rows).unwrap();
        let mut units = [0; 65];
        units[7] = 30;
        let raised = weights.clone().with_constants_raised(&units);
        assert_eq!((raised.provenance().positions, raised.provenance().errors.len()), (9, 0));
        for (row, before) in raised.knots().iter().zip(weights.knots()) {
            assert_eq!(row[9 + 2 + 7], 35);
            assert_eq!(row.iter().zip(before).filter(|(a, b)| a != b).count(), 1);
        }
    }

    #[test]
    fn bad_files_are_told_apart() {
        let good = small().to_bytes().unwrap();
        let message = |bytes: &[u8]| Weights::from_bytes(bytes, "w").unwrap_err().to_string();
        assert_eq!(message(b""), "w: not a rosebill weights file");
        assert_eq!(message(&[7; 100]), "w: not a rosebill weights file");
        let mut newer = good.clone();
        newer[8] = 9;
        assert_eq!(
            message(&newer),
            "w: weights file of version 9; this program reads versions up to 2"
        );
        let mut none = good.clone();
        none[8] = 0;
        assert_eq!(message(&none), "w: damaged weights file: there is no version 0");
        // One byte too many or too few, all checksums right.
        let body = zstd::bulk::decompress(&good[16..], 1 << 20).unwrap();
        for body in [&body[..body.len() - 1], &[&body[..], &[0]].concat()] {
            let checksum = crc32fast::hash(body).to_le_bytes();
            let packed = zstd::bulk::compress(body, 1).unwrap();
            let odd = [&good[..12], &checksum, &packed].concat();
            assert_eq!(message(&odd), "w: damaged weights file: its last weight is half a one");
        }
        for at in 12..good.len() {
            let mut flipped = good.clone();
            flipped[at] ^= 1;
            assert!(message(&flipped).starts_with("w: damaged"), "byte {at}");
        }
        for length in 16..good.len() {
            assert!(message(&good[..length]).starts_with("w: damaged"), "cut to {length}");
        }
    }
}
