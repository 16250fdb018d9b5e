//! The one list of rule slugs.
//!
//! A slug is a stable name: tools match on it, recordings of violations store it (D21). What each means, with an
//! example and the mend, stands in `docs/rules.md`, which `sedum validate --explain` prints.

macro_rules! rules {
    ($($variant:ident $slug:literal $kind:ident $summary:literal;)+) => {
        /// A rule that a package, a recording or a model's answer can break.
        // The summaries are printed as they stand, so they carry no backticks.
        #[allow(clippy::doc_markdown)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = $summary] $variant,)+
        }

        impl Rule {
            /// Every rule: load errors, then load warnings, then violations.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable name.
            pub fn slug(self) -> &'static str {
                match self { $(Self::$variant => $slug,)+ }
            }

            /// Where the rule applies.
            pub fn kind(self) -> RuleKind {
                match self { $(Self::$variant => RuleKind::$kind,)+ }
            }

            /// One sentence that says what the rule asks.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)+ }
            }
        }
    };
}

/// Where a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// A package that breaks it is rejected (L10).
    LoadError,
    /// A package that breaks it loads (L11).
    LoadWarning,
    /// An invocation or an answer that breaks it is rejected (D21).
    Violation,
}

rules! {
    ActionIncomplete "action_incomplete" LoadError "an action declares all that its kind needs";
    ActionNameInvalid "action_name_invalid" LoadError "an action name can stand in a marker label";
    ActionNameReserved "action_name_reserved" LoadError "no action is called anchor";
    ActionTemplateAmbiguous "action_template_ambiguous" LoadError "an action or variant has exactly one template file";
    ActionTemplateMissing "action_template_missing" LoadError "an action has its template";
    ActionTemplateWrongForm "action_template_wrong_form" LoadError "a simple action has a file, a discriminated one a directory";
    ActionsMalformed "actions_malformed" LoadError "actions.yaml is sound YAML with the declared keys only";
    ActionsMissing "actions_missing" LoadError "a package has actions/actions.yaml";
    AnchorInvalid "anchor_invalid" LoadError "an anchor carries exactly the fields of its kind, and a pattern that compiles";
    CommentPrefixInvalid "comment_prefix_invalid" LoadError "comment_prefix and comment_suffix can make a one-line comment around a marker";
    CommentPrefixMissing "comment_prefix_missing" LoadError "a package with actions declares comment_prefix";
    CommentSuffixWithoutPrefix "comment_suffix_without_prefix" LoadError "comment_suffix goes with comment_prefix";
    CompositeKwargConflict "composite_kwarg_conflict" LoadError "the children of a composite agree on a shared kwarg";
    CompositeMalformed "composite_malformed" LoadError "a composite names distinct children and nothing that belongs to a simple action";
    CompositeNested "composite_nested" LoadError "a composite composes no composite";
    CompositeUnknownChild "composite_unknown_child" LoadError "a composite composes actions of its own package";
    DiscriminatorType "discriminator_type" LoadError "a discriminator is a kwarg of type string";
    DiscriminatorUnknownKwarg "discriminator_unknown_kwarg" LoadError "a discriminator names a kwarg of its action";
    ExtensionInvalid "extension_invalid" LoadError "an extension starts with a dot, names something and stands once";
    FileTemplateInvalid "file_template_invalid" LoadError "a file template's path is a readable pattern";
    FileTemplateTie "file_template_tie" LoadError "no path is claimed by two equally specific file templates";
    FileUnreadable "file_unreadable" LoadError "a template is a readable UTF-8 file of reasonable size";
    IdentityEmpty "identity_empty" LoadError "identity names at least one kwarg";
    IdentityOptionalKwarg "identity_optional_kwarg" LoadError "identity names required kwargs";
    IdentityUnknownKwarg "identity_unknown_kwarg" LoadError "identity names kwargs of its action";
    KwargDefaultOnRequired "kwarg_default_on_required" LoadError "a required kwarg has no default";
    KwargDefaultType "kwarg_default_type" LoadError "a default has the type of its kwarg";
    KwargTypeUnknown "kwarg_type_unknown" LoadError "a kwarg's type is string, int, bool, list or literal";
    ManifestMalformed "manifest_malformed" LoadError "sedum.yaml is sound YAML with the declared keys only";
    ManifestMissing "manifest_missing" LoadError "a package has sedum.yaml";
    PackageNameMismatch "package_name_mismatch" LoadError "a package is called what its directory is called";
    TemplateOutsidePackage "template_outside_package" LoadError "a template lies inside its package";
    TemplateSyntaxInvalid "template_syntax_invalid" LoadError "a template uses {{name}} and {{name|transform}} only";
    TemplateValueUndeclared "template_value_undeclared" LoadError "a template uses declared names only";
    TestPathsInvalid "test_paths_invalid" LoadError "a test_paths entry is a readable pattern";
    TierUnknown "tier_unknown" LoadError "a tier is owned or seeded";
    TransformInvalid "transform_invalid" LoadError "a pipeline and an exception table use built-in operations rightly";
    TransformUndefined "transform_undefined" LoadError "a template uses known transforms with the arguments they take";
    UnmanagedContradiction "unmanaged_contradiction" LoadError "a package ships nothing for a path it declares unmanaged";
    UnmanagedInvalid "unmanaged_invalid" LoadError "an unmanaged entry is a readable pattern";
    VariableCollides "variable_collides" LoadError "a variable shares its name with no kwarg and no capture";
    VariantNameInvalid "variant_name_invalid" LoadError "a variant name can stand in a marker label";
    VariantTemplateMissing "variant_template_missing" LoadError "a declared variant has its template";

    ActionDead "action_dead" LoadWarning "an unexposed action is composed by some composite";
    AnchorLineMalformed "anchor_line_malformed" LoadWarning "an anchor declaration is all of its line";
    AnchorMarkerUnfilled "anchor_marker_unfilled" LoadWarning "some action injects at a planted marker";
    AnchorMarkerUnplanted "anchor_marker_unplanted" LoadWarning "some file template plants the marker an action is anchored to";
    AnchorPatternLineMode "anchor_pattern_line_mode" LoadWarning "a pattern with ^ or $ says (?m)";
    AnchorPlantedTwice "anchor_planted_twice" LoadWarning "a template plants a marker once";
    KwargRequirementUnderstated "kwarg_requirement_understated" LoadWarning "a kwarg that the template renders is required or has a default";
    TemplateUnused "template_unused" LoadWarning "a file under actions/ belongs to an action or variant";

    AmbiguousAction "ambiguous_action" Violation "one package of the record exposes the action";
    AnchorUnplanted "anchor_unplanted" Violation "the target file carries the action's anchor";
    BodyContainsMarker "body_contains_marker" Violation "a rendered body holds no marker line";
    DuplicateRegion "duplicate_region" Violation "two invocations make two regions";
    EmptyKwarg "empty_kwarg" Violation "a needed text is not blank";
    EmptyResponse "empty_response" Violation "an answer says something";
    InvocationShape "invocation_shape" Violation "an invocation is an object with action and kwargs";
    KwargType "kwarg_type" Violation "a value has the type of its kwarg";
    MissingAction "missing_action" Violation "an invocation names its action";
    MissingDerivedKwarg "missing_derived_kwarg" Violation "a value that the chosen template renders is bound";
    MissingKwarg "missing_kwarg" Violation "a required kwarg is bound";
    ResponseShape "response_shape" Violation "an answer is one JSON object with the list invocations";
    ResponseTruncated "response_truncated" Violation "an answer is complete";
    UnauthorizedPath "unauthorized_path" Violation "a target is a file of the record that Sedum manages";
    UnknownAction "unknown_action" Violation "an action is in the catalog";
    UnknownKwarg "unknown_kwarg" Violation "a kwarg is one that the action declares";
    Variant "variant" Violation "a discriminator's value has a template and can stand in a marker label";
}

impl Rule {
    /// The rule of a slug.
    pub fn from_slug(slug: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.slug() == slug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_distinct_and_read_back_l10_l11_d21() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from_slug(rule.slug()), Some(*rule));
        }
        let count = |kind| Rule::ALL.iter().filter(|r| r.kind() == kind).count();
        assert_eq!(count(RuleKind::LoadError), 43);
        assert_eq!(count(RuleKind::LoadWarning), 8);
        assert_eq!(count(RuleKind::Violation), 17);
    }
}
