//! What stands in the way: why something cannot be done.

/// Adds them to what another macro is given.
macro_rules! blockers {
    ($catalogue:ident! { $($assumptions:tt)* }) => {
        $catalogue! {
            in_the_way {
                // Calls that models do not describe, or not so.
                NoCall "no-call" "`{}` is no call",
                NoModel "no-model" "`{}` has no model: calling it may do anything",
                ModelSaysAnything "model-says-anything" "`{}` may do anything, says its model",
                FurtherArgument "further-argument"
                    "`{}` is one argument more than the model of the call covers",
                FunctionNotInModel "function-not-in-model"
                    "`{}` is a function, which the model of the call does not cover",
                OptionsNotInModel "options-not-in-model"
                    "`{}` has options that the model of the call does not cover",
                AnyNumberOfArguments "any-number-of-arguments"
                    "`{}` may be any number of arguments",
                MayBeCalledBack "may-be-called-back" "`{}` may be a function, which is called back",
                // What code does that would start earlier.
                EndsTheProgram "ends-the-program" "`{}` ends the program",
                NobodyKnowsWhatItDoes "nobody-knows-what-it-does"
                    "nobody knows what `{}` does: {1}",
                MayDoAnything "may-do-anything" "`{}` may do anything",
                MayThrowFirst "may-throw-first" "`{}` may throw before it returns a promise",
                RunsAGetter "runs-a-getter" "`{}` runs a getter that does more than look",
                RunsAnIterator "runs-an-iterator" "`{}` runs an iterator",
                RunsAProxy "runs-a-proxy" "`{}` runs code of a Proxy",
                DoesMoreThanCompute "does-more-than-compute" "`{}` does more than compute",
                DeclaredSeveralTimes "declared-several-times" "`{}` has several declarations",
                // What an operation waits for.
                NoPromise "no-promise"
                    "`{}` gives a value that is no promise: there is nothing to wait for",
                PerhapsNoPromise "perhaps-no-promise" "nobody knows whether `{}` gives a promise",
                WaitsForUnknown "waits-for-unknown" "nobody knows what `{}` waits for",
                WaitsForDecorated "waits-for-decorated" "nobody knows what `{}` waits for: it {1}",
                WaitsForTheProgram "waits-for-the-program"
                    "`{}` may wait for more than an answer, such as a timer or another part of the program: it \
                     stays where it is",
                MayWrite "may-write"
                    "`{}` may write: it is not certain that its statement only reads",
                WaitsWithin "waits-within"
                    "`{}` is a function that waits several times itself: what can overlap is looked for inside it",
                WaitsForNothingOutside "waits-for-nothing-outside"
                    "`{}` waits for nothing outside the program",
                AlwaysThrows "always-throws" "`{}` always throws: nothing waits for what it gives",
                // What has its place in the order.
                OnlyChecks "only-checks"
                    "`{}` gives nothing that is used, so it may be a check: what follows must wait until it has \
                     succeeded",
                WriteOrder "write-order"
                    "`{}` writes {1}: that must happen in the same order as now",
                WriteOrderOfOperation "write-order-of-operation"
                    "`{1}` writes {2}: that must happen in the same order as now",
                TellsOfOthers "tells-of-others"
                    "what `{1}` writes may tell that other things are there (`{2}`): it must be written after them",
                LockOrder "lock-order"
                    "`{}` may take a lock: that must happen in the same order as now",
                InputOrder "input-order"
                    "`{}` takes what comes in: what it gets depends on when it runs",
                InputOrderOfItems "input-order-of-items"
                    "`{}` gives what comes in, or changes by itself: what is read there depends on when it is read",
                HasSomethingDone "has-something-done"
                    "`{1}` may have something done with what `{}` changes (`{2}`): it has to wait for that",
                OneConnection "one-connection"
                    "`{}` stands for one connection, on which nothing overlaps",
                OneChangeAtATime "one-change-at-a-time"
                    "`{}` asks GitHub, which wants changes one after the other",
                // Types that TypeScript infers from the place.
                TypeFromPlace "type-from-place"
                    "the type of `{}` may come from where its result goes: write type arguments at the call, and \
                     it can start earlier",
                TypeFromLoop "type-from-loop"
                    "the type of `{}` may depend on a variable that the loop changes: write a type at what gets \
                     its result, and it can start earlier",
                // Statements that nothing may cross.
                IgnoredByComment "ignored-by-comment"
                    "a `headstart-ignore` comment stands above `{}`",
                OrderedByComment "ordered-by-comment"
                    "a comment above `{}` says that things happen in order there",
                DecidesWhetherItStarts "decides-whether-it-starts"
                    "`{}` decides whether {1} starts",
                GivesWayOnPurpose "gives-way-on-purpose" "`{}` gives way to others on purpose",
                HandsOver "hands-over" "`{}` hands over to others",
                TiesAResource "ties-a-resource" "`{}` ties a resource to its scope",
                MayBeALock "may-be-a-lock" "`{}` may be a lock: what follows relies on holding it",
                LooksAtTheClock "looks-at-the-clock" "`{}` looks at the clock",
                TakesInput "takes-input"
                    "`{}` takes what comes in, or looks at what changes by itself",
                ChangesTheSurroundings "changes-the-surroundings"
                    "`{}` changes what every operation depends on",
                MayThrowOnPurpose "may-throw-on-purpose"
                    "`{}` may throw, and what follows relies on that it does not",
                StandsInFront "stands-in-front"
                    "`{}` stands in front of it in the same statement, and may change something",
                StartsAheadAlready "starts-ahead-already"
                    "what `{}` waits for starts ahead of its turn in the loop",
                // What an operation needs of a statement that it would cross.
                NeedsItsValue "needs-its-value" "it needs `{1}`, which `{}` gives a value",
                SameName "same-name" "`{}` gives a value to the same name",
                LooksAtLaterValue "looks-at-later-value"
                    "`{}` may look at `{1}`, which gets its value later",
                CalledLooksAtValue "called-looks-at-value"
                    "it calls functions that may look at `{1}`, which `{}` gives a value",
                ReadAgainOnPurpose "read-again-on-purpose"
                    "what `{1}` reads is read twice, to see what has changed in between",
                // Conflicts between an operation and such a statement.
                MayDoAnythingMeanwhile "may-do-anything-meanwhile"
                    "`{}` may do anything while it is waited for",
                MayChangeWhatItDependsOn "may-change-what-it-depends-on"
                    "`{}` may change what `{1}` depends on",
                SetsWhatItMayDependOn "sets-what-it-may-depend-on"
                    "`{}` sets {1}, which `{2}` may depend on",
                ReadsWhatIsWritten "reads-what-is-written" "it reads {1}, which `{}` writes",
                WritesWhatIsRead "writes-what-is-read" "`{}` writes {1}, which `{2}` reads",
                WritesWhatWasRead "writes-what-was-read" "`{1}` writes {2}, which `{}` reads",
                FoundInACache "found-in-a-cache" "`{1}` finds what `{}` has put into a cache",
                BringsUpToDate "brings-up-to-date"
                    "one of `{}` and `{1}` brings {2} up to date for the other",
                LogMayReportIt "log-may-report-it"
                    "a line that `{1}` writes into the log may report what `{}` does",
                MayEndInBetween "may-end-in-between"
                    "one of `{}` and `{1}` writes something, and the other may end the program",
                ThrowsOnPurpose "throws-on-purpose"
                    "`{}` throws on purpose, perhaps, and `{1}` is not to have begun then",
                CallerChangesIt "caller-changes-it"
                    "`{}` reads {1}, which a caller changes when it has called this function, and before it waits \
                     for it",
                OnlyConnection "only-connection" "`{}` waits for the only connection of its pool",
                AskedTwice "asked-twice"
                    "`{}` is asked for the same twice: what it gives may be another one each time",
                ReadTwice "read-twice" "`{}` may be a pipe or an open file, which is read twice",
                // What is still under way, and what runs when something fails.
                MayStillBeWritten "may-still-be-written"
                    "`{}` uses {1}, which may still be written by then",
                MayStillBeRead "may-still-be-read"
                    "`{}` writes {1}, which may still be read by then",
                GivesTime "gives-time"
                    "an operation on {1} that nobody waits for ends while `{}` is waited for, and {1} is used after that",
                LockNotTakenYet "lock-not-taken-yet"
                    "a lock that `{}` relies on may not be taken by then",
                CleanupMeanwhile "cleanup-meanwhile"
                    "what cleans up around it could run while `{}` is still under way",
                CleanupWrites "cleanup-writes"
                    "what runs when something fails writes {1} while `{}` may still read",
                TooManyPlaces "too-many-places"
                    "`{}` runs in very many places, and some may clean up what it reads",
                // What a rewrite would write.
                DynamicScope "dynamic-scope"
                    "`arguments` or a direct `eval` near `{}` can see and change its variables",
                CommentForATool "comment-for-a-tool"
                    "the comment `{}` speaks to a tool of the code where it stands",
                CommentInTheHead "comment-in-the-head"
                    "the comment `{}` stands in the head of the loop, which would be written anew",
                NoGenerators "no-generators"
                    "TypeScript compiles `{}` to ECMAScript 5, which has no generators",
                TypeByPlace "type-by-place"
                    "TypeScript may know a type for `{}` only where it stands, not in a function",
                TypeOfKeys "type-of-keys"
                    "TypeScript may know more of the keys of `{}` in `for … in`",
                MayBeArguments "may-be-arguments"
                    "`{}` may be `arguments`, which has no method `keys`",
                OtherArray "other-array"
                    "the numbers up to `{}` are gone over, and `Array` is something else in this file",
                OtherObject "other-object"
                    "`{}` is gone over by its keys, and `Object` is something else in this file",
                // Loops whose turns cannot start ahead.
                NoItems "no-items"
                    "it could not start ahead of its turn in the loop: `{}` goes over no list of items, and \
                     counts no numbers one by one: each turn may decide what the next one does",
                NotAheadOfItsTurn "not-ahead-of-its-turn"
                    "it could not start ahead of its turn in the loop: {1}",
                MoreThanAName "more-than-a-name" "`{}` is more than the name of an item",
                MoreThanNaming "more-than-naming" "`{}` does more than name what is gone over",
                CountedElsewhere "counted-elsewhere"
                    "`{}` is counted by more than the head of the loop",
                GoingOverRunsCode "going-over-runs-code"
                    "going over `{}` runs code between two turns",
                WaitsForNothing "waits-for-nothing" "`{}` waits for nothing",
                WaitsSometimesOrOften "waits-sometimes-or-often"
                    "`{}` waits only sometimes, or several times",
                WaitsForNoCall "waits-for-no-call" "`{}` waits for something that is no call",
                WaitsWithinOperation "waits-within-operation" "`{}` waits within the operation",
                SameInEachTurn "same-in-each-turn"
                    "`{}` asks for the same in each turn: it could be done once, in front",
                SameForAllItems "same-for-all-items"
                    "`{}` asks for the same whatever the item is: it could be done once, in front",
                NeedsMoreThanComputing "needs-more-than-computing"
                    "`{}` does more than compute what the operation needs",
                GivesWhatItNeeds "gives-what-it-needs"
                    "`{}` gives a value to what the operation needs",
                DecidesAndChanges "decides-and-changes"
                    "`{}` decides whether the operation starts, and changes something",
                ChangesWhatDecides "changes-what-decides"
                    "`{}` changes {1}, which decides what the next turns do",
                AnotherObjectEachTime "another-object-each-time"
                    "`{}` may be another object each time: the operation would get one, and the rest of the turn \
                     another",
                AnotherAnswerEachTime "another-answer-each-time"
                    "`{}` may give something else each time that it is asked",
                FileNamedTwice "file-named-twice"
                    "`{}` names a file twice, which may have been read up by then",
                GivesWhatHasToBeClosed "gives-what-has-to-be-closed"
                    "`{}` gives something that has to be closed, whatever fails",
                StartsWhatMayFail "starts-what-may-fail"
                    "`{}` starts something that nobody waits for, and that may fail",
                WritesAndMayEnd "writes-and-may-end"
                    "`{}` writes something, and may end the program",
                LockOfTheTurnBefore "lock-of-the-turn-before"
                    "`{}` may take a lock, which those before it have given back by now",
                WaitsForTheTurnBefore "waits-for-the-turn-before"
                    "`{}` would wait for that of the turn before it anyway",
                EndsTheLoop "ends-the-loop"
                    "`{}` ends the loop: what the next turns would write may not be written then",
                // Turns of a loop that may be about the same.
                WritesMoreThanWhole "writes-more-than-whole"
                    "`{}` does more than write whole files, or change rows that are there: what it adds, takes \
                     away or asks for has an order",
                ItemsInOrder "items-in-order"
                    "the items of `{}` are called like what has an order (`{1}`)",
                LooksAtWhatTurnsChange "looks-at-what-turns-change"
                    "`{}` looks at what the rest of a turn changes: another turn may be about the same",
                PathsMadeAlike "paths-made-alike"
                    "`{}` may read what another turn writes: the paths are made alike",
                SamePlaceInEachTurn "same-place-in-each-turn"
                    "`{}` uses the same place in each turn, or one that the item does not name",
                KeepsAnOrder "keeps-an-order"
                    "`{}` is called like what keeps an order, or a limit (`{1}`)",
                ItemInAStatement "item-in-a-statement"
                    "the item is part of the statement `{}`: tables may depend on one another",
                // Why an await overlaps nothing, where nothing else stands in the way.
                StandsInAParameter "stands-in-a-parameter" "it stands in a parameter",
                NothingBeforeIt "nothing-before-it"
                    "nothing stands before it in its block that it could overlap",
                WaitsOnlySometimes "waits-only-sometimes"
                    "`{}` waits only sometimes, or after another wait in its statement",
                CalledForAllAtOnce "called-for-all-at-once"
                    "`{}` calls it for all items at once: what it waits for overlaps already",
                OthersRunMeanwhile "others-run-meanwhile"
                    "others come in while `{}` is waited for, and may have written it by then",
                HandsPromisesOn "hands-promises-on"
                    "`{}` hands the promise of each call to the next: what is waited for in front of that starts \
                     at once, and what stands behind it needs it",
            }
            $($assumptions)*
        }
    };
}
