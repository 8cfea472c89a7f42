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
  /** Team of this house, by the name that skills use. */
  readonly team: string
  readonly database: Database
  /** Rules for tools that may run without a question. */
  readonly allow?: readonly string[]
}

// #region house
/**
 * Makes the distribution of a house. Skills of its database come before those of a project. A model is told only of
 * skills for its team. Nothing runs without a rule that allows it, not even harmless commands.
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
