// Folders of skills that the program `skills` 1.7.4 fills, for every agent that it knows.
const listed = (folders: string): readonly string[] => folders.trim().split(/\s+/)

/** Folders of a project. The one shared by all agents is first. */
export const projectFolders = listed(`
  .agents/skills .aider-desk/skills data/skills .autohand/skills .augment/skills .bob/skills .claude/skills skills
  .codeartsdoer/skills .codebuddy/skills .codemaker/skills .codestudio/skills .commandcode/skills .continue/skills
  .cortex/skills .crush/skills .devin/skills agent/skills .forge/skills .goose/skills .grok/skills .hermes/skills
  .inferencesh/skills .jazz/skills .junie/skills .iflow/skills .kimchi/skills .kiro/skills .kode/skills
  .lingma/skills .mcpjam/skills .minimax/skills .vibe/skills .moxby/skills .mux/skills .openhands/skills
  .ona/skills .posit/assistant/skills .qoder/skills .qwen/skills .reasonix/skills .rovodev/skills .roo/skills
  .tabnine/agent/skills .terramind/skills .tinycloud/skills .trae/skills .windsurf/skills .zcode/skills
  .zencoder/skills .neovate/skills .pochi/skills .adal/skills
`)

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
