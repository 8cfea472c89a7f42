/** Number of folders after which the rest of the process gets a turn. */
export const folderBatch = 128
