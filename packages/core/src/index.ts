export { Catalog, compareCatalogs, pathOf, type CatalogChange, type Incomplete } from './catalog.js'
export { soundFields } from './checked-result.js'
export { buildCatalog } from './build-catalog.js'
export type {
  CallContext,
  CatalogEntry,
  CatalogView,
  Collision,
  Command,
  ContentBlock,
  FileIdentity,
  LoadedFrom,
  LocalCommand,
  LocalContext,
  LocalOutcome,
  LocalUiCommand,
  Override,
  PromptBody,
  PromptCommand,
  SourceName,
  UiContext,
  Words,
} from './command.js'
export type { Context, Contexts, Effort, ShellName, Shells } from './command-words.js'
export { createSkills, type SkillsOptions } from './create-skills.js'
export type { Engine, Skills } from './engine.js'
export { withDeadline } from './deadline.js'
export { locationOf, type Diagnostic, type ProblemType, type Severity } from './diagnostic.js'
export {
  abortError,
  errorCodes,
  isAbortError,
  messageOf,
  SkillsError,
  type ErrorCode,
  type ErrorCodes,
} from './error.js'
export {
  reasonsOf,
  type CommandRef,
  type ExplainAnswer,
  type Explanation,
  type Reason,
  type Status,
} from './explanation.js'
export type { EngineHooks, HookListener, LoadCounts } from './hook-bus.js'
export type { Gate, GateRules } from './gate.js'
export { processHost, systemClock, type Clock, type Host } from './host.js'
export { defineKind, gateKind, rendererKind, sourceKind, type KindDefinition } from './kind.js'
export { closestNames, compareCodeUnits, nameKey } from './name.js'
export { checkOptions, type OptionNames } from './options.js'
export { shownName } from './name-look.js'
export type { MaybePromise } from './promise.js'
export { promptCommand, type PromptCommandParts } from './prompt-command.js'
export {
  defineProvider,
  type ProviderAnswer,
  type AnyProvider,
  type AskOptions,
  type Kind,
  type KindAccess,
  type KindMethods,
  type Plugin,
  type Provider,
  type ProviderKinds,
  type SetupContext,
} from './provider.js'
export type { Renderer, View } from './renderer.js'
export type { Effect } from './scope.js'
export {
  loadResult,
  type LoadParts,
  type LoadResult,
  type Note,
  type Place,
  type Source,
  type SourceCall,
} from './source.js'
export {
  isDescribed,
  isHybrid,
  isModelVisible,
  isSlashVisible,
  isUserVisible,
  mayModelInvoke,
  mayUserInvoke,
} from './visibility.js'
