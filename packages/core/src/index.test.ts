import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as core from './index.js'

test('the package exports these values', () => {
  expect(Object.keys(core).toSorted()).toEqual([
    'Catalog', 'SkillsError', 'abortError', 'buildCatalog', 'checkOptions', 'closestNames', 'compareCatalogs', 'compareCodeUnits', 'createSkills',
    'defineKind', 'defineProvider', 'errorCodes', 'gateKind', 'isAbortError', 'isDescribed', 'isHybrid', 'isModelVisible', 'isSlashVisible',
    'isUserVisible', 'loadResult', 'locationOf', 'mayModelInvoke', 'mayUserInvoke', 'messageOf', 'nameKey', 'oddityOf', 'pathOf', 'processHost',
    'promptCommand', 'reasonsOf', 'rendererKind', 'shownName', 'soundFields', 'sourceKind', 'systemClock', 'withDeadline',
  ])
})

test('the package exports these types besides', () => {
  const exported = readFileSync(new URL('index.ts', import.meta.url), 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g)
  const names = [...exported].flatMap(([, list = '']) => list.split(',')).map(name => name.replace('type ', '').trim())
  expect(names.filter(name => name !== '' && !(name in core)).toSorted()).toEqual([
    'Answer', 'AnyProvider', 'AskCall', 'AskOptions', 'CallContext', 'CatalogChange', 'CatalogEntry', 'CatalogParts', 'CatalogRules', 'CatalogView',
    'Clock', 'Collision', 'Command', 'CommandRef', 'ContentBlock', 'Context', 'Contexts', 'DeadlineOptions', 'Diagnostic', 'Effect', 'Effort', 'Engine', 'EngineHooks', 'ErrorCode', 'ErrorCodes',
    'ExplainAnswer', 'Explanation', 'FileIdentity', 'Gate', 'GateRules', 'HookListener', 'Host', 'Incomplete', 'Kind', 'KindAccess', 'KindDefinition', 'KindMethods', 'KindRules',
    'LoadCounts', 'LoadParts', 'LoadResult', 'LoadedFrom', 'LocalCommand', 'LocalContext', 'LocalOutcome', 'LocalUiCommand', 'MaybePromise', 'Note', 'OptionNames',
    'Override', 'Place', 'Plugin', 'ProblemType', 'PromptBody', 'PromptCommand', 'PromptCommandParts', 'ProvidedResult', 'Provider', 'ProviderKinds', 'Reason', 'Renderer',
    'SetupContext', 'Severity', 'ShellName', 'Shells', 'Skills', 'SkillsOptions', 'Source', 'SourceCall', 'SourceName', 'Status', 'UiContext', 'View', 'Words',
  ])
})
