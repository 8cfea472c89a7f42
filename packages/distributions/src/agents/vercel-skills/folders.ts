const listed = (folders: string): readonly string[] => folders.trim().split(/\s+/)

/**
 * Folders of skills that the program `skills` 1.7.4 fills in a project, each with the agents that read it. The folder
 * shared by all agents is first, without names.
 */
const projectAgents = new Map(
  `
  .agents/skills
  .aider-desk/skills AiderDesk
  data/skills AstrBot
  .autohand/skills Autohand Code CLI
  .augment/skills Augment
  .bob/skills IBM Bob
  .claude/skills Claude Code
  skills OpenClaw
  .codeartsdoer/skills CodeArts Agent
  .codebuddy/skills CodeBuddy
  .codemaker/skills Codemaker
  .codestudio/skills Code Studio
  .commandcode/skills Command Code
  .continue/skills Continue
  .cortex/skills Cortex Code
  .crush/skills Crush
  .devin/skills Devin for Terminal
  agent/skills Eve
  .forge/skills ForgeCode
  .goose/skills Goose
  .grok/skills Grok Build
  .hermes/skills Hermes Agent
  .inferencesh/skills inference.sh
  .jazz/skills Jazz
  .junie/skills Junie
  .iflow/skills iFlow CLI
  .kimchi/skills Kimchi
  .kiro/skills Kiro CLI
  .kode/skills Kode
  .lingma/skills Lingma
  .mcpjam/skills MCPJam
  .minimax/skills MiniMax Code
  .vibe/skills Mistral Vibe
  .moxby/skills Moxby
  .mux/skills Mux
  .openhands/skills OpenHands
  .ona/skills Ona
  .posit/assistant/skills Posit Assistant
  .qoder/skills Qoder, Qoder CN
  .qwen/skills Qwen Code
  .reasonix/skills Reasonix
  .rovodev/skills Rovo Dev
  .roo/skills Roo Code
  .tabnine/agent/skills Tabnine CLI
  .terramind/skills Terramind
  .tinycloud/skills Tinycloud
  .trae/skills Trae, Trae CN
  .windsurf/skills Windsurf
  .zcode/skills ZCode
  .zencoder/skills Zencoder, Zenflow
  .neovate/skills Neovate
  .pochi/skills Pochi
  .adal/skills AdaL
`
    .trim()
    .split('\n')
    .map(line => {
      const [folder = '', ...words] = line.trim().split(' ')
      return [folder, words.length === 0 ? [] : words.join(' ').split(', ')] as const
    }),
)

/** Folders of a project. The one shared by all agents is first. */
export const projectFolders: readonly string[] = [...projectAgents.keys()]

/**
 * Further folders of a project, each with the agents that read it: by their documentation, or as their distributions
 * do.
 */
const otherAgents: Readonly<Record<string, readonly string[]>> = {
  '.agent/skills': ['openskills', 'Droid', 'older versions of Antigravity'],
  '.claude/skills': ['Claude Code', 'OpenCode', 'openskills', 'Cursor', 'GitHub Copilot'],
  '.codex/skills': ['Codex', 'Cursor'],
  '.cursor/skills': ['Cursor'],
  '.factory/skills': ['Droid'],
  '.gemini/skills': ['Gemini CLI'],
  '.github/skills': ['GitHub Copilot'],
  '.opencode/skill': ['OpenCode'],
  '.opencode/skills': ['OpenCode'],
  '.pi/skills': ['pi'],
}

/**
 * Returns the agents that read a folder of a project, such as `.cursor/skills`. Returns none for a folder that no known
 * agent reads.
 */
export function agentsReading(folder: string): readonly string[] {
  return (Object.hasOwn(otherAgents, folder) ? otherAgents[folder] : projectAgents.get(folder)) ?? []
}

/**
 * Folders of the home folder. A folder in `.config` or `.claude` moves with the environment variable that names the
 * outer folder.
 */
export const userFolders = listed(`
  .agents/skills .aider-desk/skills .config/agents/skills .gemini/antigravity/skills
  .gemini/antigravity-cli/skills .astrbot/data/skills .autohand/skills .augment/skills .bob/skills .claude/skills
  .openclaw/skills .codeartsdoer/skills .codebuddy/skills .codemaker/skills .codestudio/skills .commandcode/skills
  .continue/skills .snowflake/cortex/skills .config/crush/skills .cursor/skills .deepagents/agent/skills
  .config/devin/skills .factory/skills .firebender/skills .forge/skills .gemini/skills .copilot/skills
  .config/goose/skills .grok/skills .hermes/skills .inferencesh/skills .jazz/skills .junie/skills .iflow/skills
  .kilo/skills .config/kimchi/harness/skills .kiro/skills .kode/skills .lingma/skills .mcpjam/skills
  .minimax/skills .vibe/skills .moxby/skills .mux/skills .config/opencode/skills .openhands/skills .ona/skills
  .posit/assistant/skills .qoder/skills .qoder-cn/skills .qwen/skills .reasonix/skills .rovodev/skills .roo/skills
  .tabnine/agent/skills .terramind/skills .tinycloud/skills .trae/skills .trae-cn/skills .codeium/windsurf/skills
  .zcode/skills .zencoder/skills .neovate/skills .pochi/skills .adal/skills
`)
