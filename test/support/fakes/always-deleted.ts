/** Deletions that answer in the same way for what does not exist (docs/wire-contract.md sections 12 and 13). */
export const deletesUnknown: readonly string[] = ['deleteSegment', 'deleteAudience'];
