import { brightwater } from './brightwater.ts';
import type { DemoOrganisation } from './content.ts';
import { nordhafen } from './nordhafen.ts';
import { waha } from './waha.ts';

/** Platform admin, and owner of each organisation. */
export const demoAdmin = { name: 'Robin Ashdown', email: 'robin@brightwater.example' };

export const contents: readonly DemoOrganisation[] = [brightwater, nordhafen, waha];
