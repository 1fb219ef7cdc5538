/** The plan of the attacking process, passed as JSON in its first argument. */
export interface AttackPlan {
  readonly httpPort: number;
  /** SMTP submission with implicit TLS. */
  readonly smtpPort: number;
  /** Port on which mail hosts are reached. */
  readonly mxPort: number;
  /** Full-access key of the attacking team. */
  readonly apiKey: string;
  /** Field and bare address of a sender of that team. */
  readonly sender: string;
  readonly address: string;
  /** Loopback addresses of the mail hosts of `silent0.test`, `silent1.test` and so on. */
  readonly silentAddresses: readonly string[];
  readonly uploads: number;
  readonly hostileKeys: number;
  /** Of each kind of read. */
  readonly readers: number;
}
