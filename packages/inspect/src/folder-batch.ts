/** Folders looked at before everything else gets a turn. */
export const folderBatch = 128
