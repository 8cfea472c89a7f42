import { isDescribed, type Catalog, type CatalogEntry, type Command, type PromptCommand } from '@skills/core'

/** Who is visible in a distribution. The defaults are those of core. */
export interface Visibility {
  /** Whether enough is said about a command to list it. Default: an author wrote a description or a when-to-use. */
  readonly isDescribed?: ((command: PromptCommand) => boolean) | undefined
  /** Whether a model is told of skills only, and not of legacy commands. Default: true. */
  readonly skillsOnly?: boolean | undefined
}

/** The three lists of a catalog. */
export interface Views {
  /** What a model may be told of. */
  readonly modelVisible: readonly CatalogEntry[]
  /** Prompts that are no skills, which reach a model only through a host that offers them. */
  readonly slashVisible: readonly CatalogEntry[]
  /** Skills, and what is kept from models. */
  readonly hybrid: readonly CatalogEntry[]
}

const known = new WeakMap<Catalog, WeakMap<Visibility, Views>>()
const standard: Visibility = {}

/**
 * The three lists of a catalog under a distribution's rules. Made once for each catalog, so that all of them are new when it is.
 * See docs/reference.md, "Who sees what".
 */
export function viewsOf(catalog: Catalog, visibility: Visibility = standard): Views {
  const ofCatalog = known.get(catalog) ?? new WeakMap<Visibility, Views>()
  known.set(catalog, ofCatalog)
  const views = ofCatalog.get(visibility) ?? {
    modelVisible: catalog.entries.filter(({ command }) => isToldOf(command, visibility)),
    slashVisible: catalog.entries.filter(({ command }) => isOffered(command, visibility) && !command.isSkill && !command.disableModelInvocation),
    hybrid: catalog.entries.filter(({ command }) => isOffered(command, visibility) && (command.isSkill || command.disableModelInvocation)),
  }
  ofCatalog.set(visibility, views)
  return views
}

/**
 * What the listing of a distribution has, for {@link Listings}: what is visible to models, but for what users keep and what is dormant.
 * Each listing asks it of every command there is, so it is one function: calling four others takes longer than what they look at.
 */
export function listedBy({ isDescribed: isEnough = isDescribed, skillsOnly = true }: Visibility = standard): (entry: CatalogEntry) => boolean {
  return ({ command, override, dormant }) =>
    override !== 'user-only' && dormant === undefined && command.type === 'prompt' && command.source !== 'builtin' && (command.isSkill || !skillsOnly)
    && !command.disableModelInvocation && isEnough(command) && isOn(command)
}

/** One that cannot say whether it is enabled must not take the listing with it. */
function isOn(command: Command): boolean {
  try {
    return command.isEnabled()
  } catch {
    return false
  }
}

function isToldOf(command: Command, visibility: Visibility): boolean {
  return isOffered(command, visibility) && !command.disableModelInvocation && (command.isSkill || visibility.skillsOnly === false)
}

function isOffered(command: Command, { isDescribed: isEnough = isDescribed }: Visibility): command is PromptCommand {
  return command.type === 'prompt' && command.source !== 'builtin' && isEnough(command) && command.isEnabled()
}
