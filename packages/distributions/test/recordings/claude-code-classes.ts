/**
 * Kind of a difference from the program: `words` says the same in other words; `safer` is on purpose, because the
 * program is unsafe here; `elsewhere` is outside of a library or of the recording.
 */
export type Difference = 'words' | 'safer' | 'elsewhere'

const inserted = 'What arguments bring in is never looked into: it is text, and no variable or command of the skill.'
const script = 'Arguments are values in variables of a script and never its text, so that none of them can run.'
const attached =
  'Files that a text names with `@` would be sent unasked; a host switches them on with `files: {}`, and then within the working folder and that of the skill.'
const links = 'A link of a project leads to nothing outside of it but the skills of the user.'
const bytes = 'Bytes that are no text in UTF-8 are an error with a place, and not sent to a model with marks in them.'
const flag = 'An option of its command line: a host that offers no skills lists none.'

/** Cases that differ from the program, with the reason. */
export const differences: Readonly<Record<string, readonly [Difference, string]>> = {
  'A-arg-is-variable': ['safer', inserted],
  'A-bang-arg-inside-inject': ['safer', script],
  'A-bang-arg-inside-backtick': ['safer', script],
  'A-bang-quoted-arg': ['safer', script],
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
  'B-dir-colon': ['safer', 'A name with a colon could pose as one of a plugin, so the source stands before it.'],
  'B-bare': ['elsewhere', flag],
  'B-disable-slash-commands': ['elsewhere', flag],
  'B-setting-sources-user': ['elsewhere', flag],
  'B-fill-mixed-long-first': ['elsewhere', 'The recording does not hold the 31 files.'],
  'C-parent-no-git': ['safer', 'Without a repository no folder above the working folder is searched.'],
  'C-symlinked-skills-root': ['safer', links],
  'C-symlinked-SKILL.md': ['safer', links],
  'C-plugin-no-manifest': [
    'safer',
    'A plugin cannot have the word of a source for its name, as `plugin`: its commands would pass for those of the source.',
  ],
  'D-utf16le': ['safer', bytes],
  'E-perm-deny-exact-typed': ['safer', 'A rule that denies a skill holds for a person who types its name, too.'],
  'E-ask-rule-plain': ['safer', 'A rule that asks is obeyed for every skill.'],
  'E-three-times-edited': ['safer', 'A text that changed is given again, and not said to be the same.'],
  'E-fork-background-true': ['elsewhere', 'Without a person the program waits for what it runs in the background.'],
  'E-parallel-two': ['words', 'The program joins the texts of one turn with another line break.'],
  'E-name-field': ['words', 'The result names the skill as it is listed.'],
  'N-dir-nfd-typed-nfc': ['elsewhere', 'A name is read by its letters, in whatever form a file system keeps them.'],
  'N-perm-ask-beats-allow': ['safer', 'A rule that asks is obeyed beside one that allows.'],
  'N-perm-malformed-rule': ['safer', 'A rule that forbids and cannot be read closes the tool to a question.'],
  'N-ov-home-off-project-on': ['safer', 'A project does not make a skill more visible than its user wants.'],
  'N-fork-empty': ['elsewhere', 'Whether a fork that says nothing is asked again is for its runner.'],
  'N-cmd-vs-plugin': ['safer', 'A name of a plugin is its own, so a command of the project with it is qualified.'],
  'N-hook-allow-json': ['safer', 'A hook of a skill forbids, and allows nothing that rules do not.'],
  'N-hook-updated-input': ['safer', 'A hook of a skill does not change what a tool is called with.'],
  'N-hook-continue-false': ['words', 'The call is refused, and ending the turn is for the host.'],
}
