/** Bounds how many bytes are held at once. A request that is larger than the whole budget gets all of it, alone. */
export class ByteBudget {
  private used = 0;
  private readonly waiting: { readonly size: number; readonly admit: () => void }[] = [];

  constructor(private readonly total: number) {}

  take(size: number): Promise<void> {
    if (this.waiting.length === 0 && this.fits(size)) {
      this.used += size;
      return Promise.resolve();
    }
    return new Promise((admit) => this.waiting.push({ size, admit }));
  }

  release(size: number): void {
    this.used -= size;
    for (let next = this.waiting[0]; next !== undefined && this.fits(next.size); next = this.waiting[0]) {
      this.waiting.shift();
      this.used += next.size;
      next.admit();
    }
  }

  private fits(size: number): boolean {
    return this.used === 0 || this.used + size <= this.total;
  }
}
