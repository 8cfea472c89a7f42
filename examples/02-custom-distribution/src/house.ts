import { processHost, type Host, type SkillsOptions } from '@skills/core'
import { inlineExecutor } from '@skills/executor-inline'
import { textExpander } from '@skills/expansion/text'
import { invocationKinds } from '@skills/invocation'
import { permissionRules } from '@skills/permission-rules'
import { formatterKind } from '@skills/invocation/skill-tool'
import { projectSource } from '@skills/source-project'
import { stateKind, stateStore } from '@skills/state'
import { expanderKind } from '@skills/expansion'
import { trust } from '@skills/trust'
import { readershipKind, teamReadership } from './readership.js'
import { databaseSource } from './database-source.js'
import { tableListing } from './table-listing.js'
import type { Database } from 'node-sqlite3-wasm'

export interface HouseOptions extends Pick<SkillsOptions, 'onDiagnostic'> {
  readonly host: Partial<Host>
  /** Who works here, as skills name it. */
  readonly team: string
  readonly database: Database
  /** What may run without a question. */
  readonly allow?: readonly string[]
}

// #region house
/**
 * The distribution of a house: its database comes before what a project has, a model is told of what is for its team,
 * and nothing runs that no rule allows, however harmless it is.
 */
export function house({ host, team, database, allow = [], onDiagnostic }: HouseOptions): SkillsOptions {
  return {
    host: processHost(host),
    onDiagnostic,
    precedence: ['database', 'project'],
    kinds: [...invocationKinds, stateKind, expanderKind, formatterKind, readershipKind],
    plugins: [
      databaseSource(database),
      projectSource({ folders: ['.claude'], layout: { walk: 'flat' }, reach: 'working-folder' }),
      teamReadership(team),
      stateStore(),
      trust({ sources: { database: 'trusted' } }),
      permissionRules({ safe: false, allow, deny: ['Skill(release)'] }),
      textExpander({ header: false }),
      inlineExecutor({ strict: true }),
      tableListing(),
    ],
  }
}
// #endregion house
