//! What a result came from, and when.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::device::Info;
use crate::ptx::Ptx;

/// What a result depends on beside the operands.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stamp {
    /// As sold.
    pub device: String,
    /// `sm_90`
    pub target: String,
    /// Its versions.
    pub driver: String,
    /// `sm_90.ptx (PTX 7.8)`
    pub ptx: String,
    /// Of the PTX, in hexadecimal.
    pub ptx_sha256: String,
    /// What asked, with its version.
    pub program: String,
}

impl Stamp {
    pub(crate) fn new(info: &Info, ptx: &Ptx) -> Self {
        Self {
            device: info.name.clone(),
            target: format!("sm_{}", info.sm()),
            driver: info.driver.clone(),
            ptx: ptx.describe(),
            ptx_sha256: ptx.sha256.clone(),
            program: concat!("ptxf ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// Comment lines for the head of a text file.
    pub(crate) fn comment(&self) -> String {
        let Self { device, target, driver, ptx, ptx_sha256, program } = self;
        let date = now();
        format!(
            "# device\t{device}\n# target\t{target}\n# driver\t{driver}\n# ptx\t{ptx}\n# ptx sha256\t{ptx_sha256}\n\
             # date\t{date}\n# program\t{program}\n"
        )
    }
}

/// The time in UTC, `2026-11-20T09:41:00Z`.
pub(crate) fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds)
}

fn date(seconds: u64) -> String {
    // Days to a date: H. Hinnant, "chrono-compatible low-level date algorithms"; years begin in March.
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_are_dates() {
        assert_eq!(super::date(0), "1970-01-01T00:00:00Z");
        assert_eq!(super::date(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(super::date(1_795_167_660), "2026-11-20T09:41:00Z");
    }
}
