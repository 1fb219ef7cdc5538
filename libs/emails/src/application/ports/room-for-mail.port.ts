/** Whether there is room to keep another email until it is delivered. */
export abstract class RoomForMail {
  /** Throws NoRoomForMailError where there is none. Cheap: asked for each email. */
  abstract check(): void;
}
