/**
 * What a difference from the program is: other words for the same; on purpose, since what the program does is not safe;
 * nothing that a library could do, or that the recording holds; or a difference that is open.
 */
export type Difference = 'words' | 'safer' | 'elsewhere' | 'open'

const inserted = 'What arguments bring in is never looked into: it is text, and no variable or command of the skill.'
const script = 'Arguments are values in variables of a script and never its text, so that none of them can run.'
const attached =
  'Files that a text names with `@` would be sent unasked; a host switches them on with `files: {}`, and then within the working folder and that of the skill.'
const links = 'A link of a project leads to nothing outside of it but the skills of the user.'
const bytes = 'Bytes that are no text in UTF-8 are an error with a place, and not sent to a model with marks in them.'
const flag = 'An option of its command line: a host that offers no skills lists none.'
const letters = 'A name in other letters is found as well, where only one skill is meant.'

/** Each case that is not as the program has it, with the reason. */
export const differences: Readonly<Record<string, readonly [Difference, string]>> = {
  'A-arg-is-variable': ['safer', inserted],
  'A-arg-is-command': ['safer', inserted],
  'E-allowed-arg-bang-tool': ['safer', inserted],
  'A-bang-arg-inside-inject': ['safer', script],
  'A-bang-arg-inside-backtick': ['safer', script],
  'A-bang-quoted-arg': ['safer', script],
  'A-bang-awk-dollar-args': ['safer', script],
  'A-bang-output-has-bang': [
    'words',
    'An escaped backtick is one of the script, so that the command runs as it was meant.',
  ],
  'A-bang-escaped': ['words', 'Nothing runs; the backslash that says so is dropped.'],
  'A-bang-fence-4': ['words', 'The same output, without the marks that are left of a longer fence.'],
  'A-bang-fence-lang': ['safer', 'Only a fence with the mark alone is a command: what stands behind it is a language.'],
  'A-bang-fence-in-fence': ['safer', 'A fence in a fence of code is an example, which runs nothing.'],
  'A-bang-shell-powershell': ['safer', 'A script for PowerShell is not run by another shell where there is none.'],
  'A-bang-slow-first': ['words', 'The commands run side by side, and the times that they print are of this run.'],
  'A-bang-cd-persist': ['words', 'Each command begins in the working folder; no line says so.'],
  'A-bang-env-claude': [
    'elsewhere',
    'Variables that the program sets for its own processes, such as a socket and a token.',
  ],
  'A-at-file': ['safer', attached],
  'A-at-file-skilldir-var': ['safer', attached],
  'A-at-file-command': ['safer', attached],
  'A-bang-result-with-ARGUMENTS-file': ['safer', attached],
  'E-at-file-tool': ['safer', attached],
  'E-paths-at-mention': ['elsewhere', 'The host attaches files that a person names, and tells the engine of them.'],
  'A-prompt-case': ['open', letters],
  'E-unknown-case': ['open', letters],
  'B-dir-colon': ['safer', 'A name with a colon could pose as one of a plugin, so the source stands before it.'],
  'B-bare': ['elsewhere', flag],
  'B-disable-slash-commands': ['elsewhere', flag],
  'B-setting-sources-user': ['elsewhere', flag],
  'B-fill-mixed-long-first': ['elsewhere', 'The recording does not hold the 31 files.'],
  'C-parent-no-git': ['safer', 'Without a repository no folder above the working folder is searched.'],
  'C-symlinked-skills-root': ['safer', links],
  'C-symlinked-SKILL.md': ['safer', links],
  'C-plugin-no-manifest': ['safer', 'A folder without a manifest is no plugin, and a diagnostic says so.'],
  'D-utf16le': ['safer', bytes],
  'D-latin1-bytes': ['safer', bytes],
  'E-perm-deny-exact-typed': ['safer', 'A rule that denies a skill holds for a person who types its name, too.'],
  'E-ask-rule-plain': ['safer', 'A rule that asks is obeyed for every skill.'],
  'E-three-times-edited': ['safer', 'A text that changed is given again, and not said to be the same.'],
  'E-hook-fork': ['safer', 'Hooks of a skill that runs in a fork are in force there: what they block is blocked.'],
  'A-named-comma': ['open', 'Names of arguments are also split at commas here.'],
  'A-named-objects': ['open', 'Names of arguments that are maps with a name count here.'],
  'A-named-braced': ['open', 'A declared name counts here with a bracket behind it, too.'],
  'A-named-odd-names': ['open', 'A name of digits alone keeps its place here, so that later names have later words.'],
  'A-escaped-positional': ['open', 'Of three backslashes before a position one escapes it here, and none there.'],
  'A-vars-escaped': ['open', 'A backslash before a variable keeps it as it is written here, and does not there.'],
  'A-bang-stderr-ok': ['open', 'Standard error of a command that does not fail is left out here.'],
  'B-desc-list': ['open', 'A list as a description is an error here, and as if it were missing there.'],
  'C-command-uppercase-ext': ['open', 'A command may end in .MD here.'],
  'C-plugin-root-SKILL.md-only': [
    'open',
    'A skill in the folder of a plugin itself goes by the name of the plugin here.',
  ],
  'D-ui-null': ['open', 'A flag without a value says nothing here, and false there.'],
  'D-unquoted-gt': ['open', 'A value that begins with > is repaired into a text without it here.'],
  'E-override-off-tool': ['open', 'skillOverrides of settings are not read: a host gives `overrides`.'],
  'E-override-name-only-tool': ['open', 'skillOverrides of settings are not read: a host gives `overrides`.'],
  'E-perm-deny-prefix-space-other': [
    'open',
    'Skill(s *) denies s with any arguments here, and all that begins with s there.',
  ],
  'E-fork-uppercase': ['open', 'Fork is fork here, and no known word there.'],
  'E-paths-typed-before': ['open', 'A person may type the name of a skill that waits for its paths here.'],
  'E-allowed-hook-env': ['open', 'Hooks are told the folder of their skill in CLAUDE_SKILL_DIR here.'],
  'E-fork-background-true': ['elsewhere', 'Without a person the program waits for what it runs in the background.'],
  'E-parallel-two': ['words', 'The program joins the texts of one turn with another line break.'],
  'E-name-field': ['words', 'The result names the skill as it is listed.'],
  'E-twice-bang-changing': ['words', 'The new text is given, without a line that says that it is new.'],
}
