// @ts-check

/** Values of `shell:` in frontmatter, of which the program knows few. */
const shells = [
  undefined,
  'bash',
  'bash',
  'sh',
  'zsh',
  'Bash',
  'BASH',
  '"bash"',
  ' bash ',
  'bash -e',
  '/bin/bash',
  '/bin/sh',
  'fish',
  'cmd',
  'node',
  'none',
  'true',
  'false',
  '12',
  '',
  '~',
  '""',
  '[bash]',
  '[]',
  '{bash: 1}',
  '{name: bash}',
  'powershell',
  'PowerShell',
  '"powershell"',
  'pwsh',
  '[powershell]',
]
/** Commands that tell shells apart, all of which only print. */
const bodies = [
  '!`echo A`',
  'a !`echo A` b',
  '!`echo {a,b}`',
  '!`echo $((1+1))`',
  '```!\necho F\n```',
  '```!\necho {a,b}\necho G\n```',
  'text\n\n```!\necho F\n```\n\n!`echo A`',
  'no command',
]

/**
 * The shell that a skill names for its commands. The cases are few enough for all of them.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  narrower: [
    [
      ({ file }) => /^shell: "?powershell"?$/im.test(file),
      'A script for PowerShell is not run by another shell where there is none.',
    ],
  ],
  batches: () =>
    bodies.map(body => ({
      files: Object.fromEntries(
        shells.map((shell, at) => [
          `project/.claude/skills/s${at}/SKILL.md`,
          `---\ndescription: D.\n${shell === undefined ? '' : `shell: ${shell}\n`}---\n${body}\n`,
        ]),
      ),
      steps: shells.map((_, at) => ({ prompt: `/s${at}` })),
    })),
}
