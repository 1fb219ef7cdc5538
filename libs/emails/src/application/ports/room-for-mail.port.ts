/** Tells whether there is room to store another email until it is delivered. */
export abstract class RoomForMail {
  /** Throws NoRoomForMailError if there is none. Cheap, because it is called for each email. */
  abstract check(): void;
}
