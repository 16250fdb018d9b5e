//! Run variables: what the run supplies, checked against what its packages declare (section 11).

use std::collections::BTreeMap;

use crate::diag::{Problem, listed, nearest, quoted};
use crate::genpkg::{Package, PackageSet};
use crate::value::Bindings;

/// The variables of the run, bound for each package that it uses.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    by_package: BTreeMap<String, Bindings>,
    none: Bindings,
}

impl Variables {
    /// Binds the variables of the packages that the run's managed paths use (V5). Names that are supplied and
    /// declared nowhere (V3), and declared ones without a value (V4), are reported together.
    ///
    /// `flags` are the values of `--var`; `recorded` those of a recording, which the flags override (V10).
    pub fn bind(
        packages: &PackageSet,
        used: &[&Package],
        flags: &BTreeMap<String, String>,
        recorded: &BTreeMap<String, String>,
    ) -> Result<Self, Vec<Problem>> {
        let mut problems = undeclared(packages, flags);
        let mut supplied = recorded.clone();
        supplied.extend(flags.iter().map(|(n, v)| (n.clone(), v.clone())));
        let mut by_package = BTreeMap::new();
        for package in used {
            let bound = package.bind_variables(&supplied);
            for (name, variable) in &package.variables {
                if bound.contains_key(name) {
                    continue;
                }
                let about = variable
                    .description
                    .as_ref()
                    .map_or_else(String::new, |text| {
                        format!(": {}", crate::diag::shown(text.trim()))
                    });
                problems.push(
                    Problem::new(format!(
                        "variable {} of package {} has neither a value nor a default{about}",
                        quoted(name),
                        quoted(&package.name)
                    ))
                    .help(format!(
                        "give it with --var {}=VALUE",
                        crate::diag::shown(name)
                    )),
                );
            }
            by_package.insert(package.name.clone(), bound);
        }
        if problems.is_empty() {
            Ok(Self {
                by_package,
                none: Bindings::new(),
            })
        } else {
            Err(problems)
        }
    }

    /// The variables of one package as far as they have values, for a question that may need none of them.
    pub fn of_one(
        packages: &PackageSet,
        package: &Package,
        flags: &BTreeMap<String, String>,
    ) -> Result<Self, Vec<Problem>> {
        let problems = undeclared(packages, flags);
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self {
            by_package: BTreeMap::from([(package.name.clone(), package.bind_variables(flags))]),
            none: Bindings::new(),
        })
    }

    /// The variables of a package.
    pub fn of(&self, package: &Package) -> &Bindings {
        self.by_package.get(&package.name).unwrap_or(&self.none)
    }

    /// Every variable of the packages in use, with its value (V9). Where two packages default one name differently
    /// and the run supplies none, there is no one value, and the name is left to each package's default.
    pub fn recorded(&self) -> BTreeMap<String, String> {
        let mut all: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for bindings in self.by_package.values() {
            for (name, value) in bindings {
                let crate::value::Value::Text(text) = value else {
                    continue;
                };
                all.entry(name)
                    .and_modify(|known| {
                        if *known != Some(text) {
                            *known = None;
                        }
                    })
                    .or_insert(Some(text));
            }
        }
        all.into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
            .collect()
    }
}

/// V3: supplied names that no loaded package declares.
fn undeclared(packages: &PackageSet, flags: &BTreeMap<String, String>) -> Vec<Problem> {
    let mut declared: Vec<&str> = packages
        .iter()
        .flat_map(|package| package.variables.keys().map(String::as_str))
        .collect();
    declared.sort_unstable();
    declared.dedup();
    flags
        .keys()
        .filter(|name| !declared.contains(&name.as_str()))
        .map(|name| {
            let problem = Problem::new(format!(
                "--var {}: no package declares this variable; declared are: {}",
                quoted(name),
                listed(declared.iter())
            ));
            match nearest(name, declared.iter().copied()) {
                Some(near) => problem.help(format!("did you mean {}?", quoted(near))),
                None => problem,
            }
        })
        .collect()
}
