//! The walk along one path, through its links, to the place where its file is or belongs.
//!
//! Links are expanded here and not by the system, so that a path that is refused can be told from one that is missing, and
//! the link that is at fault be named.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::{FolderId, Folders, Place, ROOT, Seen, State};
use crate::platform;
use crate::tree::disk::Disk;
use crate::tree::error::TreeError;
use crate::tree::names;

/// How many links one path may lead through, as Linux has it.
const LINK_LIMIT: usize = 40;

impl Folders {
    /// Where `path`, which passed [`names::check`], leads.
    pub(in crate::tree) fn place(
        &mut self,
        disk: &mut dyn Disk,
        path: &str,
    ) -> Result<Place, TreeError> {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let known = self.by_path.get(parent).copied();
        let (at, linked) = known.unwrap_or((ROOT, false));
        let mut walk = Walk {
            path,
            at,
            linked,
            pending: match known {
                Some(_) => vec![Part::own(name)],
                None => path.rsplit('/').map(Part::own).collect(),
            },
            followed: 0,
            link: String::new(),
            target: String::new(),
        };
        while let Some(part) = walk.pending.pop() {
            let last = walk.pending.is_empty();
            if last && part.own && known.is_none() {
                self.by_path
                    .insert(parent.to_owned(), (walk.at, walk.linked));
            }
            if part.name == ".." {
                let above = self.parent(walk.at);
                walk.at = above.ok_or_else(|| walk.outside())?;
                continue;
            }
            if let Some(place) = self.step(disk, &mut walk, part, last)? {
                return Ok(place);
            }
        }
        Err(TreeError::IsFolder {
            path: path.to_owned(),
        })
    }

    /// Takes one component: gives the place when it is the file's, else moves `walk` on.
    fn step(
        &mut self,
        disk: &mut dyn Disk,
        walk: &mut Walk<'_>,
        part: Part,
        last: bool,
    ) -> Result<Option<Place>, TreeError> {
        let here = || self.real_in(walk.at, &part.name);
        if names::is_reserved(&part.name, walk.at == ROOT) {
            return Err(TreeError::Reserved {
                path: walk.path.to_owned(),
                place: here(),
            });
        }
        if !last {
            let known = self.by_name.get(&(walk.at, part.name.clone()));
            if let Some(&id) = known {
                walk.at = id;
                return Ok(None);
            }
        }
        let found = if self.is_missing(walk.at) {
            None
        } else {
            self.handle(disk, walk.at)
                .and_then(|folder| disk.look(folder, &part.name))
                .map_err(|source| walk.io("look at", source))?
        };
        match found {
            None if !part.own => return Err(walk.dangling()),
            None if !last => walk.at = self.add(walk.at, part.name, State::Missing),
            Some(metadata) if metadata.is_symlink() => {
                let target = self
                    .handle(disk, walk.at)
                    .and_then(|folder| disk.read_link(folder, &part.name))
                    .map_err(|source| walk.io("read a link of", source))?;
                self.follow(walk, self.real_in(walk.at, &part.name), &target)?;
            }
            Some(metadata) if metadata.is_dir() => {
                // A folder as the last component ends the walk without a place.
                let state = State::There(platform::identity(&metadata));
                if !last {
                    walk.at = self.add(walk.at, part.name, state);
                }
            }
            Some(_) if !last => {
                return Err(TreeError::ParentIsFile {
                    path: walk.path.to_owned(),
                    parent: self.real_in(walk.at, &part.name),
                });
            }
            Some(metadata) if !metadata.is_file() => {
                return Err(TreeError::NotRegular {
                    path: walk.path.to_owned(),
                    kind: platform::kind(&metadata),
                });
            }
            found => {
                return Ok(Some(Place {
                    folder: walk.at,
                    name: part.name,
                    linked: walk.linked,
                    found: found.as_ref().map(Seen::of),
                }));
            }
        }
        Ok(None)
    }

    /// Puts what the link at `link` holds before what is still to be walked.
    fn follow(&self, walk: &mut Walk<'_>, link: String, target: &Path) -> Result<(), TreeError> {
        walk.linked = true;
        walk.link = link;
        walk.target = target.to_string_lossy().into_owned();
        walk.followed += 1;
        if walk.followed > LINK_LIMIT {
            return Err(TreeError::LinkLoop {
                path: walk.path.to_owned(),
                link: walk.link.clone(),
                limit: LINK_LIMIT,
            });
        }
        let inside = if target.has_root() || target.is_absolute() {
            walk.at = ROOT;
            self.below_root(target).ok_or_else(|| walk.outside())?
        } else {
            target.to_owned()
        };
        let mut parts = Vec::new();
        for component in inside.components() {
            let name = match component {
                Component::CurDir => continue,
                Component::Normal(name) => name,
                Component::ParentDir => "..".as_ref(),
                Component::RootDir | Component::Prefix(_) => return Err(walk.outside()),
            };
            let Some(name) = name.to_str() else {
                let source = io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
                return Err(walk.io("read a link of", source));
            };
            parts.push(Part {
                name: name.to_owned(),
                own: false,
            });
        }
        walk.pending.extend(parts.into_iter().rev());
        Ok(())
    }

    /// What an absolute link holds, relative to the output directory, when it names a place in it.
    fn below_root(&self, target: &Path) -> Option<PathBuf> {
        let roots = [
            std::fs::canonicalize(&self.root_path),
            std::path::absolute(&self.root_path),
        ];
        roots
            .iter()
            .flatten()
            .find_map(|root| target.strip_prefix(root).ok())
            .map(Path::to_owned)
    }
}

/// One component on the way.
struct Part {
    name: String,
    /// Written in the path, not in a link.
    own: bool,
}

impl Part {
    fn own(name: &str) -> Part {
        Part {
            name: name.to_owned(),
            own: true,
        }
    }
}

/// A walk along one path: where it is, what is still to come (last first), and the last link followed.
struct Walk<'a> {
    path: &'a str,
    at: FolderId,
    linked: bool,
    pending: Vec<Part>,
    followed: usize,
    link: String,
    target: String,
}

impl Walk<'_> {
    fn outside(&self) -> TreeError {
        TreeError::LinkOutside {
            path: self.path.to_owned(),
            link: self.link.clone(),
            target: self.target.clone(),
        }
    }

    fn dangling(&self) -> TreeError {
        TreeError::LinkDangling {
            path: self.path.to_owned(),
            link: self.link.clone(),
            target: self.target.clone(),
        }
    }

    fn io(&self, doing: &'static str, source: io::Error) -> TreeError {
        TreeError::Io {
            path: self.path.to_owned(),
            doing,
            source,
        }
    }
}
