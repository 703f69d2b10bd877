/**
 * Targets of the design, section 11, and what peers measure on a machine like this one (Open WebUI 0.12.4, LibreChat of
 * August 2026).
 */
export type Budget = {
  readonly unit: string;
  /** Passing side: at most or at least `target`. */
  readonly is: 'at-most' | 'at-least';
  readonly target: number;
  /**
   * The floor on the machine for which the target was set. A run elsewhere is judged by the ratio: what it measures
   * against its own floor may be as far from it as the target is from this one (docs/adr/0008).
   */
  readonly floorThere?: number;
  readonly openWebUi: string;
  readonly libreChat: string;
};
/** A figure without a budget: it explains the others. */
export type Told = { readonly unit: string; readonly is: 'told' };
