/** SQL of the key that a result has once its address is erased. */
export const erasedKey = (key: string): string => `'erased ' || encode(sha256(convert_to(${key}, 'UTF8')), 'hex')`;
