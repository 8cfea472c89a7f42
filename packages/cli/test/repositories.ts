import type { TreeEntries } from '@skills/testing'

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it when asked for ${name}.\n---\nDo it.\n`
const skills = (folder: string, names: readonly string[]): TreeEntries =>
  Object.fromEntries(names.map(name => [`${folder}/${name}/SKILL.md`, skill(name)]))

/**
 * Public repositories as small trees: the places of their files and the content of their manifests, with skills of our
 * own. Folder names are those of a person's checkouts, which no plugin could have.
 */
export const repositories: Readonly<
  Record<'anthropics__skills' | 'trailofbits__skills' | 'openai__skills' | 'mattpocock__skills', TreeEntries>
> = {
  // Several entries share the root, each with its own list; a template is beside them.
  anthropics__skills: {
    'anthropics__skills/.git': { dir: true },
    'anthropics__skills/README.md': '# Skills\n',
    'anthropics__skills/.claude-plugin/marketplace.json': JSON.stringify({
      name: 'agent-skills',
      owner: { name: 'Someone' },
      metadata: { description: 'Examples', version: '1.0.0' },
      plugins: [
        {
          name: 'document-skills',
          description: 'Documents',
          source: './',
          strict: false,
          skills: ['./skills/xlsx', './skills/docx', './skills/pdf'],
        },
        {
          name: 'example-skills',
          description: 'Examples',
          source: './',
          strict: false,
          skills: ['./skills/canvas-design', './skills/mcp-builder'],
        },
      ],
    }),
    ...skills('anthropics__skills/skills', ['xlsx', 'docx', 'pdf', 'canvas-design', 'mcp-builder']),
    'anthropics__skills/template/SKILL.md': skill('template'),
  },
  // Each plugin has a folder and a manifest.
  trailofbits__skills: {
    'trailofbits__skills/.git': { dir: true },
    'trailofbits__skills/.claude-plugin/marketplace.json': JSON.stringify({
      name: 'trail',
      owner: { name: 'Someone' },
      plugins: ['contracts', 'differential-review', 'gh-cli'].map(name => ({
        name,
        version: '1.0.0',
        description: name,
        source: `./plugins/${name}`,
      })),
    }),
    ...Object.fromEntries(
      ['contracts', 'differential-review', 'gh-cli'].map(name => [
        `trailofbits__skills/plugins/${name}/.claude-plugin/plugin.json`,
        JSON.stringify({ name, version: '1.0.0', description: name }),
      ]),
    ),
    ...skills('trailofbits__skills/plugins/contracts/skills', ['algorand-scanner', 'cairo-scanner']),
    ...skills('trailofbits__skills/plugins/differential-review/skills', ['differential-review']),
    'trailofbits__skills/plugins/gh-cli/hooks/hooks.json': JSON.stringify({
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'check.sh' }] }] },
    }),
    ...skills('trailofbits__skills/plugins/gh-cli/skills', ['using-gh-cli']),
  },
  // No manifest; hidden folders group the skills.
  openai__skills: {
    'openai__skills/.git': { dir: true },
    'openai__skills/README.md': '# Skills\n',
    ...skills('openai__skills/skills/.curated', ['gh-fix-ci', 'pdf']),
    ...skills('openai__skills/skills/.system', ['skill-creator']),
    ...skills('openai__skills/skills/.experimental', ['transcribe']),
  },
  // A plugin that lists skills in nested folders, without the drafts and personal skills beside them.
  mattpocock__skills: {
    'mattpocock__skills/.git': { dir: true },
    'mattpocock__skills/.claude-plugin/plugin.json': JSON.stringify({
      name: 'mattpocock-skills',
      skills: ['./skills/engineering/diagnose', './skills/engineering/tdd', './skills/productivity/grill-me'],
    }),
    ...skills('mattpocock__skills/skills/engineering', ['diagnose', 'tdd']),
    ...skills('mattpocock__skills/skills/productivity', ['grill-me']),
    ...skills('mattpocock__skills/skills/personal', ['obsidian-vault']),
    ...skills('mattpocock__skills/skills/in-progress', ['half-done']),
  },
}
