export const sndsFilters = ['green', 'yellow', 'red'] as const;

/** What Microsoft saw of an address on its last day with enough mail. */
export interface SndsActivity {
  readonly address: string;
  /** As `yyyy-mm-dd`. */
  readonly day: string;
  /** What its filter made of the mail. Green: less than 10 % was spam. Red: more than 90 %. */
  readonly filter: (typeof sndsFilters)[number];
  /** As Microsoft writes it, such as `< 0.1%`. */
  readonly complaintRate: string | undefined;
  readonly recipients: number;
  readonly trapHits: number;
}

/** Addresses whose mail Microsoft refuses. */
export interface SndsBlock {
  readonly first: string;
  readonly last: string;
  /** On one line; empty if Microsoft gives none. */
  readonly reason: string;
}

export interface SndsReport {
  readonly activity: readonly SndsActivity[];
  readonly blocks: readonly SndsBlock[];
}
