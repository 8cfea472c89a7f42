import * as s from '@skills/core/schema'
import type { BundledFiles } from './bundled-skill.js'

export const extractFolderOptions = s.options('extractFolder()', {
  /** Absolute path. It need not exist; missing folders above it are made. */
  folder: s.text().required(),
  files: s.either(s.text(), s.typed<BundledFiles>('an object')).required(),
  /** Name of the file in the folder that records what it was made from. Default `.skills-bundled.marker`. */
  marker: s.text(),
})

export interface ExtractFolderOptions extends s.OptionsOf<typeof extractFolderOptions> {}
