import { shownFields, skillJson } from './skill-json.js'
import type { NeedJson, NeedsJson, SkillPage } from '../api.js'
import type { FilesBeside, RequirementRow, RequirementTree, ShownSkill } from '@skills/inspect/internal'

/** Returns a skill as JSON. Every key is present; null means no value. See docs/reference/output.md, "Show output". */
export function shownJson({
  listed,
  entry: { command, override },
  body,
  files,
  tree,
}: ShownSkill): NonNullable<SkillPage['shown']> {
  const prompt = command.type === 'prompt' ? command : undefined
  return {
    ...skillJson(listed),
    type: command.type,
    loadedFrom: command.loadedFrom,
    override,
    hasUserSpecifiedDescription: command.hasUserSpecifiedDescription,
    pluginName: prompt?.pluginName ?? null,
    baseDir: prompt?.baseDir ?? null,
    contentLength: prompt?.contentLength ?? null,
    ...shownFields(command),
    body: body !== undefined && 'template' in body ? body.template : null,
    blocks: body !== undefined && 'blocks' in body ? body.blocks : null,
    files: files === undefined ? null : filesJson(files),
    dependencies: tree === undefined ? null : treeJson(tree),
  }
}

function filesJson({ files, more, leftOut, isComplete, diagnostics }: FilesBeside): Record<string, unknown> {
  const entries = files.map(({ path, kind, size, target }) => ({
    path,
    kind,
    size: size ?? null,
    target: target ?? null,
  }))
  return { entries, more, leftOut, isComplete, diagnostics }
}

export function treeJson({ rows, more, cycles }: RequirementTree): NeedsJson {
  return { rows: rows.map(rowJson), more, cycles: cycles.map(cycle => cycle.map(({ name }) => name)) }
}

function rowJson({ wanted, depth, status, entry, cycle, hint }: RequirementRow): NeedJson {
  const command = entry?.command
  return {
    wanted,
    depth,
    status,
    name: entry?.name ?? null,
    source: command?.source ?? null,
    path: command?.type === 'prompt' ? (command.filePath ?? null) : null,
    cycle: cycle ?? null,
    hint: hint ?? null,
  }
}
