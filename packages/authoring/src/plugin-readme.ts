import { unscoped } from './package-name.js'
import type { PackageFields } from './new-package.js'

/** What a new plugin says of itself: what it is for, and a program that loads it as it stands. */
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

// Checks of packages take a line that begins like this in a text for code, and a CommonJS program that has it for a
// broken one.
function importLine(name: string, from: string): string {
  return `import { ${name} } from '${from}'`
}

/** A package file that is there may hold a name that npm would not take. */
function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`
}
