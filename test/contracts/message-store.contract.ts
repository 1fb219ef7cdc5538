import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MessageStore } from '#emails';
import { firstIdAt, newId, NotFoundError } from '#kernel';

export interface StoreUnderTest {
  readonly store: MessageStore;
  /** A second store on the same bytes, as in another process. Absent if bytes do not leave the process. */
  readonly another?: MessageStore;
  stop?(): Promise<void>;
}

const dayMs = 86_400_000;

/** The tests that every `MessageStore` must pass. */
export function describeMessageStore(name: string, start: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let subject: StoreUnderTest;

    beforeAll(async () => (subject = await start()));
    afterAll(async () => subject.stop?.());

    const message = (bytes: Uint8Array, at?: number) => ({ id: at === undefined ? newId() : idOf(at), bytes });

    it('returns the bytes that were stored', async () => {
      const messages = [
        message(Buffer.from('héllo')),
        message(randomBytes(100)),
        message(Buffer.from([0, 255, 13, 10])),
      ];
      await subject.store.put(messages);
      const found = await subject.store.get(messages.map(({ id }) => id));
      for (const { id, bytes } of messages) expect(Buffer.from(found.get(id) ?? [])).toEqual(Buffer.from(bytes));
      expect(found.size).toBe(3);
    });

    it('stores an empty message', async () => {
      const empty = message(new Uint8Array());
      await subject.store.put([empty]);
      expect((await subject.store.get([empty.id])).get(empty.id)).toHaveLength(0);
    });

    it('stores large messages completely', async () => {
      const large = message(randomBytes(5_000_001));
      await subject.store.put([message(Buffer.from('small')), large]);
      const found = (await subject.store.get([large.id])).get(large.id) ?? new Uint8Array();
      expect(Buffer.from(found).equals(large.bytes)).toBe(true);
    });

    it('replaces the first bytes, of messages stored whole and in pieces', async () => {
      const bytes = randomBytes(600_001);
      const [whole, streamed] = [message(bytes), newId()];
      await subject.store.put([whole]);
      await subject.store.write(
        streamed,
        (async function* () {
          for (let at = 0; at < bytes.length; at += 99_999) yield bytes.subarray(at, at + 99_999);
        })(),
      );
      const head = randomBytes(20_003);
      for (const id of [whole.id, streamed]) {
        await subject.store.overwriteHead(id, head);
        const found = Buffer.from((await subject.store.get([id])).get(id) ?? []);
        expect(found.equals(Buffer.concat([head, bytes.subarray(head.length)]))).toBe(true);
      }
      const absent = newId();
      await subject.store.overwriteHead(absent, head);
      expect((await subject.store.get([absent])).size).toBe(0);
    });

    it('reads a message in pieces', async () => {
      for (const size of [0, 1, 8_080, 64 * 8_080, 64 * 8_080 + 1, 1_048_576, 2_500_001]) {
        const sent = message(randomBytes(size));
        await subject.store.put([sent]);
        const pieces: Uint8Array[] = [];
        for await (const piece of subject.store.read(sent.id)) pieces.push(piece);
        expect(Buffer.concat(pieces).equals(sent.bytes)).toBe(true);
      }
      for await (const piece of subject.store.read(newId()))
        throw new Error(`found ${piece.length} bytes of an unknown message`);
    });

    it('never returns a part of a message as if it were whole, if the message is removed during the read', async () => {
      // A multiple of every adapter's piece size: no short piece marks the end, only the end of the stream does.
      const { id, bytes } = message(randomBytes(8_080 * 128 * 3), Date.now() - dayMs);
      await subject.store.put([{ id, bytes }]);
      const pieces = subject.store.read(id);
      const read = [(await pieces.next()).value as Uint8Array];
      await subject.store.removeDay(new Date(Date.now() - dayMs));
      const rest = (async () => {
        for await (const piece of pieces) read.push(piece);
        return Buffer.concat(read).equals(bytes) ? 'all of them' : 'only a part of them';
      })();
      const result = await rest.catch((error: Error) => error);

      if (result instanceof Error) expect(result).toBeInstanceOf(NotFoundError);
      else expect(result).toBe('all of them');
    });

    it('stores many messages in one call', async () => {
      const many = Array.from({ length: 200 }, (_, n) => message(Buffer.from(`message ${n}`)));
      await subject.store.put(many);
      const found = await subject.store.get(many.map(({ id }) => id));
      expect([...found].map(([id, bytes]) => [id, Buffer.from(bytes).toString()]).sort()).toEqual(
        many.map(({ id, bytes }) => [id, Buffer.from(bytes).toString()]).sort(),
      );
    });

    it('leaves out unknown messages', async () => {
      const known = message(Buffer.from('known'));
      await subject.store.put([known]);
      expect([...(await subject.store.get([newId(), known.id])).keys()]).toEqual([known.id]);
      expect((await subject.store.get([])).size).toBe(0);
    });

    it('does not use the given buffer after put resolves', async () => {
      const bytes = Buffer.from('before');
      const mine = message(bytes);
      await subject.store.put([mine]);
      bytes.write('after!');
      expect(Buffer.from((await subject.store.get([mine.id])).get(mine.id) ?? []).toString()).toBe('before');
    });

    it('lets another process read the bytes once put resolves', async () => {
      if (subject.another === undefined) return;
      const mine = message(Buffer.from('shared'));
      await subject.store.put([mine]);
      expect((await subject.another.get([mine.id])).has(mine.id)).toBe(true);
    });

    it('removes the given messages, and no others', async () => {
      const [removed, kept] = [message(Buffer.from('removed')), message(Buffer.from('kept'))];
      await subject.store.put([removed, kept]);
      await subject.store.remove([removed.id, newId()]);
      await subject.store.remove([removed.id]);
      expect([...(await subject.store.get([removed.id, kept.id])).keys()]).toEqual([kept.id]);
    });

    it('removes exactly one day, and may do so twice', async () => {
      const today = Math.floor(Date.now() / dayMs) * dayMs;
      const removed = [0, 1_000, dayMs - 1].map((ms) => message(Buffer.from(`${ms}`), today - dayMs + ms));
      const kept = [-dayMs - 1, 0].map((ms) => message(Buffer.from(`${ms}`), today + ms));
      await subject.store.put([...removed, ...kept]);
      await subject.store.removeDay(new Date(today - dayMs / 2));
      await subject.store.removeDay(new Date(today - dayMs / 2));
      const found = await subject.store.get([...removed, ...kept].map(({ id }) => id));
      expect([...found.keys()].sort()).toEqual(kept.map(({ id }) => id).sort());
    });
  });
}

/** `newId` only makes ids of the present: an id of the past is composed of its time and a random end. */
function idOf(at: number): string {
  return firstIdAt(new Date(at)).slice(0, 13) + newId().slice(13);
}
