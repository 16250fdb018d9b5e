//! What the fuzz targets check. The main crate's test suite includes the same files, so that both drivers judge alike.

pub mod oracles;
