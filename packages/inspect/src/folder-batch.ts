/** Number of folders after which a walk lets the rest of the process run. */
export const folderBatch = 128
