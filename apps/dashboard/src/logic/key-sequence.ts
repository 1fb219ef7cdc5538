/** A key as it is written in a shortcut: `j`, `?`, `Enter`, `mod+k`. `mod` is Command on a Mac and Control elsewhere. */
export interface PressedKey {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Shift counts with names only (`shift+ArrowDown`): a `?` has it already. */
export function nameOf({ key, metaKey, ctrlKey, altKey, shiftKey }: PressedKey): string {
  const shift = shiftKey && key.length > 1 ? 'shift+' : '';
  const lower = key.length === 1 && (metaKey || ctrlKey) ? key.toLowerCase() : key;
  return `${metaKey || ctrlKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${shift}${lower}`;
}

export const sequenceMs = 1_000;

/** Follows keys that are pressed one after the other, such as `g e`. */
export class KeySequence {
  private first: { readonly name: string; readonly at: number } | undefined;

  /** The names that the key may stand for: the sequence with the key before it, then the key alone. */
  press(pressed: PressedKey, now: number): readonly string[] {
    const name = nameOf(pressed);
    const { first } = this;
    this.first = { name, at: now };
    return first !== undefined && now - first.at <= sequenceMs ? [`${first.name} ${name}`, name] : [name];
  }

  forget(): void {
    this.first = undefined;
  }
}
