//! What is taken for granted, and has to hold for a rewrite to keep the behaviour.

/// Adds them to what another macro is given.
macro_rules! assumptions {
    ($blockers:ident! { $catalogue:ident! }) => {
        $blockers! { $catalogue! {
            taken_for_granted {
                // Atomic blocks.
                OthersAreGated "others-are-gated"
                    "what may come in between is compiled for atomic blocks, too, or takes an atomic block itself: \
                     nothing else is kept out",
                WaitsForNobodyKeptOut "waits-for-nobody-kept-out"
                    "nothing that `{1}` waits for needs another task to go on first",
                // Values that are what they seem.
                DoesNotThrow "does-not-throw" "`{}` does not throw",
                TakesWhatItIsGiven "takes-what-it-is-given"
                    "`{}` takes what it is given and does not throw",
                ThrowsNothingFirst "throws-nothing-first"
                    "`{}` throws nothing before it returns its promise",
                CalledIsThere "called-is-there" "what `{}` calls is there",
                GetterHolderIsThere "getter-holder-is-there"
                    "`{}` is there, so that its getter can run",
                MethodHolderIsThere "method-holder-is-there"
                    "`{}` is there, so that its method can be called",
                SeveralMethodHoldersAreThere "several-method-holders-are-there"
                    "{1} are there, so that their methods can be called",
                HolderIsThere "holder-is-there" "`{}` can be read: what holds it is there",
                PlainGlobal "plain-global"
                    "`{}` is a plain global that is there, and nothing assigns it in the meantime",
                PlainProperty "plain-property"
                    "`{}` is a plain property of an object that is there, and nothing changes it in the meantime",
                SeveralPlainProperties "several-plain-properties"
                    "{1} are plain properties of objects that are there, and nothing changes them in the meantime",
                PlainData "plain-data" "{1} is plain data: reading and converting it runs no code",
                SeveralPlainData "several-plain-data"
                    "{1} are plain data: reading and converting them runs no code",
                IsAString "is-a-string" "`{}` is a string",
                SeveralAreStrings "several-are-strings" "{1} are strings",
                IsAnArray "is-an-array" "`{}` is an array",
                IsAWholeNumber "is-a-whole-number" "`{}` is a whole number",
                InheritsNothing "inherits-nothing"
                    "`{}` is a plain object, and inherits nothing that `for … in` would go over",
                GoingOverRunsNoCode "going-over-runs-no-code"
                    "going over `{}` ahead runs no code, and gives the same",
                CopyingRunsNoCode "copying-runs-no-code"
                    "`{}` is a plain object: copying it runs no code",
                TakingApartRunsNoCode "taking-apart-runs-no-code"
                    "`{}` takes a list apart: that runs no code, and gives the same again",
                ConvertingRunsNoCode "converting-runs-no-code"
                    "converting `{}` runs no code of its own and does not throw",
                ToStringRunsNoCode "to-string-runs-no-code"
                    "converting `{}` to a string runs no code of its own and does not throw",
                SeveralToStringRunNoCode "several-to-string-run-no-code"
                    "converting {1} to strings runs no code of their own and does not throw",
                BigIntegersDoNotThrow "big-integers-do-not-throw"
                    "`{}` computes with big integers and does not throw: no division by zero, no negative exponent",
                AsksAPlainObject "asks-a-plain-object"
                    "`{}` asks an object that is there and is no Proxy",
                PlainInstanceof "plain-instanceof"
                    "`{}` runs no method `Symbol.hasInstance` and no trap of a Proxy, and does not throw",
                UsedAsWhatItIs "used-as-what-it-is"
                    "what is used as text, a number or a list is just that",
                ElementsRunNothing "elements-run-nothing"
                    "an element of JSX is only made: its component runs later, as in React",
                GivenBackIsNoPromise "given-back-is-no-promise"
                    "`{1}` is no promise where a function gives it back",
                CallerLeavesIt "caller-leaves-it"
                    "whoever has had this function called leaves {1} alone as long as `{}` may use it",
                Initialised "initialised" "`{}` is initialised before this function runs",
                SeveralInitialised "several-initialised"
                    "{1} are initialised before this function runs",
                // What nobody changes in the meantime.
                NothingAssignsIt "nothing-assigns-it"
                    "nothing assigns `{}` while the operation before it is pending",
                NothingChangesIt "nothing-changes-it" "nothing changes `{}` in the meantime",
                NothingChangesItThoughOneMay "nothing-changes-it-though-one-may"
                    "nothing changes `{}` in the meantime, as `{1}` may",
                NothingChangesWhatItReads "nothing-changes-what-it-reads"
                    "nothing changes {1}, which `{}` reads, in the meantime",
                NothingChangesWhatItReadsThoughOneMay "nothing-changes-what-it-reads-though-one-may"
                    "nothing changes {1}, which `{}` reads, in the meantime, as `{2}` may",
                NothingChangesWhatItLooksAt "nothing-changes-what-it-looks-at"
                    "nothing changes {1}, which `{}` looks at, in the meantime",
                NothingChangesWhatItLooksAtThoughOneMay "nothing-changes-what-it-looks-at-though-one-may"
                    "nothing changes {1}, which `{}` looks at, in the meantime, as `{2}` may",
                SeveralUnchanged "several-unchanged"
                    "nothing changes {1}, which the operations read, in the meantime",
                PathUnchanged "path-unchanged"
                    "`{}` is not changed while the operation before it is pending",
                EnvironmentUnchanged "environment-unchanged"
                    "nothing changes the environment that `{}` reads",
                WorkingDirectoryUnchanged "working-directory-unchanged"
                    "nothing changes the working directory before `{}` starts",
                SettingUnchanged "setting-unchanged" "nothing changes {1} before `{}` starts",
                SettingUnchangedThoughOneMay "setting-unchanged-though-one-may"
                    "nothing changes {1} before `{}` starts, as `{2}` may",
                SetOnce "set-once" "{1} is set once, and to the same whoever is first",
                GivesTheSameAgain "gives-the-same-again"
                    "`{}` gives the same again, and nothing changes what one of the two holds",
                HoldsItAlone "holds-it-alone"
                    "`{}` alone holds the objects of which it changes {1}",
                // What code does of which nobody knows all.
                UnknownOnlyComputes "unknown-only-computes"
                    "`{1}`, of which nobody knows what it does, only computes",
                SeveralUnknownOnlyCompute "several-unknown-only-compute"
                    "{1}, of which nobody knows what they do, only compute",
                OnlyReadsByName "only-reads-by-name"
                    "`{1}` only reads, as its name says, and may be under way beside others",
                SeveralOnlyReadByName "several-only-read-by-name"
                    "{1} only read, as their names say, and may be under way at once",
                OnlyReadsByQuery "only-reads-by-query"
                    "`{1}` only reads, as its query says, and may be under way beside others",
                SeveralOnlyReadByQuery "several-only-read-by-query"
                    "{1} only read, as their queries say, and may be under way at once",
                SeenToRead "seen-to-read"
                    "`{1}` only reads, as it did when it was observed ({2}: {3})",
                AnsweredByConfiguration "answered-by-configuration"
                    "`{1}` {2}, as the configuration says",
                LoggersOnlyLog "loggers-only-log"
                    "what is called like a logger only writes lines of a log",
                NothingEndsTheProgram "nothing-ends-the-program"
                    "nothing that is called here ends the program",
                NobodyIsAsked "nobody-is-asked"
                    "it does not come to asking a person something, or to ending the program",
                FillsACache "fills-a-cache"
                    "`{1}` fills a cache: it does not matter who is first, or that each gets a value of its own",
                SortsAlike "sorts-alike"
                    "`{1}` leaves its list in one order, whoever sorts it first",
                CollectsInAnyOrder "collects-in-any-order"
                    "it does not matter when and in which order `{1}` gets what is put there, nor that it does where something before fails",
                AnyoneConnectsFirst "anyone-connects-first" "it does not matter who connects, or sets up what is missing, first",
                OnlySelects "only-selects"
                    "a query that is put together only selects, whatever is put into it",
                LoadingIsQuiet "loading-is-quiet"
                    "loading what `{}` names has no effect that the rest relies on",
                ImportIsQuiet "import-is-quiet"
                    "loading what `{}` imports has no effect that the rest relies on",
                TopLevelTiming "top-level-timing"
                    "no other module relies on when this one, at its top level, reaches `{}`",
                // What has to hold for models to say what happens.
                ModelCondition "model-condition" "{1} where `{2}` is called",
                OptionsChangeNothing "options-change-nothing"
                    "the options hold nothing that changes what it does where `{1}` is called",
                MatchesStartAnew "matches-start-anew"
                    "no match goes on where an earlier one has stopped (`lastIndex`) of the regular expression \
                     where `{1}` is called",
                ReplacedDoesTheSame "replaced-does-the-same"
                    "what the program puts in the place of `{1}`, or has it run, does nothing else that matters here",
                SeveralReplacedDoTheSame "several-replaced-do-the-same"
                    "what the program puts in the place of {1}, or has them run, does nothing else that matters here",
                ReplacedLanguageDoesTheSame "replaced-language-does-the-same"
                    "what the program puts in the place of what the language brings does the same",
                ReplacedPlatformDoesTheSame "replaced-platform-does-the-same"
                    "what the program puts in the place of what the platform brings does the same",
                NothingInItsPlace "nothing-in-its-place"
                    "the program puts nothing else in the place of what `{}` calls",
                MethodsAreKept "methods-are-kept"
                    "methods are those that the program shows: nothing else is put in their place",
                ClientRunsNoCode "client-runs-no-code"
                    "the options of the client of `{1}` that `{}` uses hold no code which runs inside its operations",
                SeveralClientsRunNoCode "several-clients-run-no-code"
                    "the options of the client of `{1}` that the operations use hold no code which runs inside \
                     its operations",
                NobodyReachesIntoClient "nobody-reaches-into-client"
                    "nobody who has got hold of a client of `{1}` puts code into the operations that `{}` uses",
                NobodyReachesIntoSeveral "nobody-reaches-into-several"
                    "nobody who has got hold of a client of `{1}` puts code into the operations that the \
                     operations use",
                AroundItOnlyLooksOn "around-it-only-looks-on"
                    "what the program has put around the operations of `{1}` that `{}` uses only looks on, or \
                     hands them on",
                AroundSeveralOnlyLooksOn "around-several-only-looks-on"
                    "what the program has put around the operations of `{1}` that the operations use only looks \
                     on, or hands them on",
                NotAnsweredByTheProgram "not-answered-by-the-program"
                    "no request that `{}` makes to this machine is answered by the program itself",
                LeavesWhatItIsGiven "leaves-what-it-is-given"
                    "{1} leaves the methods and properties of {2} as they are",
                LeavesWhatExtendsIt "leaves-what-extends-it"
                    "{1} leaves the methods and properties of {2}, which extends it, as they are",
                DecoratorLeavesIt "decorator-leaves-it"
                    "the decorator {1} leaves the methods and properties of {2} as they are",
                DecoratorRunsNoCode "decorator-runs-no-code"
                    "the decorator {1} has no code run where {2} is read or written",
                CopiedReplacesNoMethods "copied-replaces-no-methods"
                    "what is copied over {1} has no methods that take the place of its own",
                ComputedKeysReplaceNoMethods "computed-keys-replace-no-methods"
                    "nothing that the program puts under a computed key takes the place of a method of {1}",
                // What two statements do that could meet.
                NotTheSame "not-the-same" "{1} of `{}` and {2} of `{3}` are not the same",
                SeveralNotTheSame "several-not-the-same"
                    "what `{}` writes ({1}) and what {2} uses ({3}) are not the same",
                ChangesNoneOfWhatItReads "changes-none-of-what-it-reads"
                    "what `{}` changes ({1}) is not what `{2}` reads ({3})",
                ReadsNoneOfWhatItChanges "reads-none-of-what-it-changes"
                    "what `{1}` changes ({2}) is not what `{}` reads ({3})",
                ChangedPartIsNotRead "changed-part-is-not-read"
                    "`{1}`, which `{}` changes, is not what `{2}` reads",
                DoesNotChangeWhatItDependsOn "does-not-change-what-it-depends-on"
                    "`{}` does not change what `{1}` depends on",
                DoesNotDependOnWhatIsSet "does-not-depend-on-what-is-set"
                    "{1} does not depend on {2}, which `{}` sets",
                DifferentFiles "different-files" "`{}` and `{1}` touch different files",
                DifferentThings "different-things"
                    "`{}` and `{1}` change different things, and neither goes by what the other changes",
                AnotherTable "another-table"
                    "`{}` changes nothing of what is asked of `{1}`: that is another table",
                PathIsNoHandle "path-is-no-handle"
                    "`{}` is a path, not the open file that the operation before it reads",
                ReadsByNames "reads-by-names" "`{}` reads by names, and from no open file twice",
                LogOrder "log-order" "log lines may come in another order",
                ClockMayBeLater "clock-may-be-later"
                    "it does not matter when `{}` looks at the clock",
                ClockMayBeEarlier "clock-may-be-earlier"
                    "it does not matter that `{}` looks at the clock a moment earlier",
                ManyAtOnce "many-at-once"
                    "`{}` may be under way up to 8 times at once: no limit of its own stands against that",
                // What follows, and what fails.
                AnyErrorWillDo "any-error-will-do"
                    "where several of these fail, the error of any will do for who catches it and asks which it is",
                NoCheck "no-check"
                    "`{}` is no check: what follows does not rely on that it does not throw",
                DecidesNothing "decides-nothing" "`{}` does not decide whether `{1}` may start",
                StartsBeforeSuccess "starts-before-success"
                    "`{}` does not fail: `{1}` then starts before that is known, and does not start at all today \
                     where it fails",
                ElseNobodyCloses "else-nobody-closes"
                    "`{}` does not fail: else nobody closes what `{1}` gives",
                ElseNothingHandles "else-nothing-handles"
                    "`{}` does not fail: else nothing handles what `{1}` starts, if that fails",
                OthersDoNotFailElseNobodyCloses "others-do-not-fail-else-nobody-closes"
                    "what starts together with `{}` does not fail: else nobody closes what that gives",
                OthersDoNotFailElseNothingHandles "others-do-not-fail-else-nothing-handles"
                    "what starts together with `{}` does not fail: else nothing handles what that starts, if it fails",
                LeftGoingOn "left-going-on"
                    "nothing relies on that what `{}` leaves going on is done when `{1}` is",
                LeftGoingOnTogether "left-going-on-together"
                    "nothing relies on that what `{}` leaves going on is done when what starts together with it is",
                LeavesNothingBehind "leaves-nothing-behind"
                    "`{1}` leaves nothing behind that still writes {2}",
                LoopEnds "loop-ends"
                    "what `{}` repeats until it is over, or succeeds, does not depend on what starts early, nor does that rely on it",
                ReadInVainWithLines "read-in-vain-with-lines"
                    "it does no harm that `{1}` reads in vain, and writes its lines of the log, where `{}` leaves, or fails",
                ReadInVain "read-in-vain"
                    "it does no harm that `{1}` reads in vain where `{}` leaves, or fails",
                ReadInVainOnTheWay "read-in-vain-on-the-way"
                    "it does no harm that {1} reads in vain where `{}` or another statement in between leaves, or \
                     fails",
                SeveralReadInVain "several-read-in-vain"
                    "it does no harm that {1} read in vain where `{}` or another statement in between leaves, or fails",
                ReadInVainByNextTurns "read-in-vain-by-next-turns"
                    "`{}` tells of a failure: what the next turns read by then is read in vain",
                ReadInVainIsNotMissed "read-in-vain-is-not-missed"
                    "what `{}` still reads in vain when something has failed is not missed where others wait for \
                     a time",
                NotedInFinally "noted-in-finally"
                    "what `finally` notes around `{}` may be noted while that is under way, where another fails",
                CleanupWritesNone "cleanup-writes-none"
                    "what runs when something fails writes none of {1} that `{}` reads",
                SeveralCleanupWritesNone "several-cleanup-writes-none"
                    "what runs when something fails writes none of {1} that the operations read",
                UnknownCleanupWritesNone "unknown-cleanup-writes-none"
                    "what runs when something fails, of which nobody knows what it does, writes none of {1} that \
                     `{}` reads",
                SeveralUnknownCleanupWritesNone "several-unknown-cleanup-writes-none"
                    "what runs when something fails, of which nobody knows what it does, writes none of {1} that \
                     the operations read",
                // Turns of a loop.
                EachTurnWritesItsOwn "each-turn-writes-its-own"
                    "each turn writes to a place of its own: `{}` differs for each item",
                EachTurnWritesItsOwnFile "each-turn-writes-its-own-file"
                    "each turn writes to a place of its own: `{}` differs for each item, and none is within another",
                EachTurnUsesItsOwn "each-turn-uses-its-own"
                    "each turn reads and writes a place of its own: `{}` differs for each item",
                EachTurnUsesItsOwnFile "each-turn-uses-its-own-file"
                    "each turn reads and writes a place of its own: `{}` differs for each item, and none is \
                     within another",
                NextTurnsAreUnderWay "next-turns-are-under-way"
                    "where `{}` fails, those of the next turns are under way, which would not have started",
                // What the rest of the program, or another project, leaves as it is.
                UnseenCodeReplacesNothing "unseen-code-replaces-nothing"
                    "code that the program loads or puts together while it runs puts nothing else in the place of \
                     what is called here",
                UnreadCodeReplacesNothing "unread-code-replaces-nothing"
                    "nothing in `{1}`, which cannot be read, puts something else in the place of what is called here",
                NothingGoesByPrototypes "nothing-goes-by-prototypes"
                    "nothing here goes by what the program changes of prototypes, of globals, or of what can be \
                     changed",
                NothingGoesByImplicitCalls "nothing-goes-by-implicit-calls"
                    "nothing here goes by what methods of the program change that the language calls by itself",
                NothingGoesByTheEnvironment "nothing-goes-by-the-environment"
                    "nothing here goes by the environment, which the program sets while it runs",
                OneSession "one-session"
                    "each connection of a pool has the same session: what one query sets, another one does not go by",
                NoTwoPathsLeadToOneFile "no-two-paths-lead-to-one-file"
                    "no two paths here lead to one file by a link that the program makes",
                NoPathLeadsToInput "no-path-leads-to-input"
                    "no path here leads to a file that gives what it holds only once, as the program names one",
                NothingComesBetween "nothing-comes-between"
                    "what may run at any time does not change what is used here in between",
                AllIsSetUp "all-is-set-up" "all that is used here has been set up before this runs",
                NobodyBesideUsesIt "nobody-beside-uses-it"
                    "whoever goes on beside this does not use what is used here",
                UnreadFileChangesNothing "unread-file-changes-nothing"
                    "`{1}`, which could not be read, changes nothing of what is used here",
                OtherProjectChangesNothing "other-project-changes-nothing"
                    "the project in `{1}`, which runs this file, too, changes nothing of what is used here",
            }
        } }
    };
}
