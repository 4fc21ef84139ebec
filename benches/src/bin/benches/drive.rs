//! What runs in processes of its own: under valgrind, or so that CPU and memory are its alone.

use anyhow::Result;
use benches::beside::{self, Workload};
use benches::point::Client;
use benches::{decode, instructions, pipeline, placement, worker};
use clap::Subcommand;

use super::say;

#[derive(Subcommand)]
pub(crate) enum Drive {
    Worker,
    Point {
        client: Client,
        url: String,
        queries: u32,
    },
    Pipeline {
        #[arg(value_parser = ["raw", "typed"])]
        client: String,
        url: String,
        queries: u32,
    },
    Decode {
        workload: decode::Workload,
        rows: u32,
    },
    Beside {
        workload: Workload,
        line: usize,
        url: String,
        count: u32,
    },
    Memory {
        line: usize,
        url: String,
    },
    Spin {
        cpu: usize,
    },
}

impl Drive {
    pub(crate) fn run(self) -> Result<()> {
        match self {
            Self::Worker => worker::serve(),
            Self::Point {
                client,
                url,
                queries,
            } => instructions::drive(&url, client, queries),
            Self::Pipeline {
                client,
                url,
                queries,
            } => pipeline::drive(&url, client == "raw", queries),
            Self::Decode { workload, rows } => workload.drive(rows),
            Self::Beside {
                workload,
                line,
                url,
                count,
            } => beside::drive(workload, line, &url, count),
            Self::Memory { line, url } => {
                say(&beside::drive_memory(line, &url)?.to_string());
                Ok(())
            }
            Self::Spin { cpu } => placement::spin(cpu),
        }
    }
}
