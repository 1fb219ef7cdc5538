import { SndsReport } from '../../domain/snds-report.js';

/** Microsoft SNDS. Nothing of it is asked but by the daily import. */
export abstract class NetworkData {
  abstract readonly isConfigured: boolean;

  /** The newest report on all addresses of the account. Throws `ProviderTrouble`. */
  abstract read(): Promise<SndsReport>;
}
