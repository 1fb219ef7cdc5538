import { DomainError } from '#kernel';

/** An installation with a database of its own, which keeps and sends the mail of one region. */
export interface Cell {
  /** The name of its region. */
  readonly name: string;
  /** Base URL of its API, as the other cells reach it. */
  readonly url: string;
}

/** Mail from the domain belongs to another cell. Over HTTP the request is passed on to it. */
export class MailElsewhereError extends DomainError {
  constructor(
    readonly cell: Cell,
    domain: string,
  ) {
    super('invalid', 'validation_error', `Mail from ${domain} is sent from the region ${cell.name}: submit it there.`);
  }
}

/**
 * The cells of an installation. The first one is the home cell: it alone changes teams, keys, domains and everything else
 * that is not mail, and the others have copies. Without cells, one database has all of it.
 */
export class Cells {
  /** An installation with one database. */
  static readonly none = new Cells(undefined, []);

  constructor(
    private readonly ownName: string | undefined,
    private readonly all: readonly Cell[],
  ) {}

  get areSeveral(): boolean {
    return this.all.length > 0;
  }

  /** Whether this process may change what all cells share. */
  get isHome(): boolean {
    return !this.areSeveral || this.home.name === this.ownName;
  }

  get own(): Cell {
    const own = this.all.find(({ name }) => name === this.ownName);
    if (own === undefined) throw new Error('there are no cells');
    return own;
  }

  get home(): Cell {
    const [home] = this.all;
    if (home === undefined) throw new Error('there are no cells');
    return home;
  }

  get others(): readonly Cell[] {
    return this.all.filter(({ name }) => name !== this.ownName);
  }

  /** A region without a cell of its own belongs to the home cell. */
  ofRegion(region: string): Cell {
    return this.all.find(({ name }) => name === region) ?? this.home;
  }

  /** Whether this cell sends and receives the mail of a region. */
  hasMailOf(region: string): boolean {
    return !this.areSeveral || this.ofRegion(region).name === this.ownName;
  }

  /** Throws MailElsewhereError if another cell sends the mail of the domain. */
  requireOwn({ name, region }: { readonly name: string; readonly region: string }): void {
    if (!this.hasMailOf(region)) throw new MailElsewhereError(this.ofRegion(region), name);
  }
}
