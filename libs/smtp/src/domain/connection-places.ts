export interface PlaceLimits {
  /** Maximum number of connections. */
  readonly total: number;
  readonly perClient: number;
  /** Maximum for clients of one network that have not logged in. */
  readonly perNetwork: number;
  readonly perTeam: number;
}

/** The connection that holds a place. */
export interface PlaceHolder {
  /** Whether it can be closed without loss, because no message is under way. */
  readonly isIdle: boolean;
  /** Called when another connection gets the place. */
  evict(): void;
}

/** Why there is no place: the client, its network or its team has reached its limit, or all places are taken. */
export type NoPlace = 'client' | 'network' | 'team' | 'total';

/**
 * Bounds the open connections and shares them among owners. The owner is the network of the client, and its team once
 * it has logged in. If all places are taken, an owner with fewer places than another one gets the oldest idle place of
 * the largest owner, so that nobody can lock others out by holding connections open.
 */
export class ConnectionPlaces {
  private readonly clients = new Map<string, number>();
  private readonly owners = new Map<string, Set<Place>>();
  private taken = 0;

  constructor(private readonly limits: PlaceLimits) {}

  get count(): number {
    return this.taken;
  }

  take(client: string, network: string, holder: PlaceHolder): Place | NoPlace {
    const owner = `network ${network}`;
    if ((this.clients.get(client) ?? 0) >= this.limits.perClient) return 'client';
    if (this.heldBy(owner) >= this.limits.perNetwork) return 'network';
    if (this.taken >= this.limits.total && !this.makeRoomFor(owner)) return 'total';
    this.taken++;
    this.clients.set(client, (this.clients.get(client) ?? 0) + 1);
    const place = new Place(this, client, owner, holder);
    this.assign(place);
    return place;
  }

  /** Makes the team the owner of the place. False if the team has reached its limit. */
  assignToTeam(place: Place, teamId: string): boolean {
    const owner = `team ${teamId}`;
    if (this.heldBy(owner) >= this.limits.perTeam) return false;
    this.withdraw(place);
    place.owner = owner;
    this.assign(place);
    return true;
  }

  release(place: Place): void {
    this.taken--;
    this.withdraw(place);
    const left = (this.clients.get(place.client) ?? 1) - 1;
    if (left > 0) this.clients.set(place.client, left);
    else this.clients.delete(place.client);
  }

  private heldBy(owner: string): number {
    return this.owners.get(owner)?.size ?? 0;
  }

  private makeRoomFor(owner: string): boolean {
    let largest: Set<Place> | undefined;
    for (const places of this.owners.values()) if (places.size > (largest?.size ?? 0)) largest = places;
    // The difference must be two, or two equal owners would take the same place from each other forever.
    if (largest === undefined || largest.size < this.heldBy(owner) + 2) return false;
    for (const place of largest) {
      if (!place.holder.isIdle) continue;
      place.release();
      place.holder.evict();
      return true;
    }
    return false;
  }

  private assign(place: Place): void {
    const places = this.owners.get(place.owner) ?? new Set();
    this.owners.set(place.owner, places.add(place));
  }

  private withdraw(place: Place): void {
    const places = this.owners.get(place.owner);
    places?.delete(place);
    if (places?.size === 0) this.owners.delete(place.owner);
  }
}

export class Place {
  private isHeld = true;

  constructor(
    private readonly places: ConnectionPlaces,
    readonly client: string,
    public owner: string,
    readonly holder: PlaceHolder,
  ) {}

  /** False if the team has reached its limit. */
  assignToTeam(teamId: string): boolean {
    return !this.isHeld || this.places.assignToTeam(this, teamId);
  }

  /** A second call does nothing. */
  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.places.release(this);
  }
}
