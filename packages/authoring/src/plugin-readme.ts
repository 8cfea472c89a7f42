import { unscoped } from './package-name.js'
import type { PackageFields } from './new-package.js'

/** Returns the README of a new plugin: its purpose, and a program that loads it. */
export function readmeText({ name, description }: Pick<PackageFields, 'name' | 'description'>): string {
  return `# ${name}

${description}

Skills for agents. A host that is started where the package is installed loads them. \`from: 'user'\` says that its user chose the package, so that hooks and
embedded commands may run; without it only their text counts:

\`\`\`sh
npm install ${name} @skills/core @skills/distributions
\`\`\`

\`\`\`js
${importLine('createSkills', '@skills/core')}
${importLine('standard', '@skills/distributions/standard')}

const skills = createSkills(standard({
  published: { packages: [{ name: ${literal(name)}, folder: process.cwd(), from: 'user' }] },
  onDiagnostic: ({ severity, message }) => console.error(severity, message),
}))
const { entries } = await skills.catalog()
for (const { name, command } of entries) if (command.source === 'plugin') console.log(name)
await skills.close()
\`\`\`

They are called \`${unscoped(name)}:\` and the name of their folder.
`
}

// Built here, because checks of packages would take such a line in a text for code, and then report a CommonJS program
// as broken.
function importLine(name: string, from: string): string {
  return `import { ${name} } from '${from}'`
}

/** Quotes a name for code: an existing package file may contain one that npm would not accept. */
function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`
}
