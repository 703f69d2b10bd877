import { authEvents } from './auth.ts';
import { chatEvents } from './chat.ts';
import type { EventDefinition } from './define-event.ts';
import { orgEvents } from './org.ts';

/** Every event there is, by name. */
export const allEvents = { ...authEvents, ...orgEvents, ...chatEvents };
export const eventDefinitions = Object.values(allEvents) as unknown as EventDefinition[];
