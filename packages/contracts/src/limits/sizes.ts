import { wireLimits } from '@parley/protocol';

/** Limits requests and stored things, in bytes, characters or counts. */
export const limits = {
  ...wireLimits,
  /** Limits the JSON body of a completion request, including its images in base64. */
  completionJsonBytes: 20_000_000,
  fileBytes: 25_000_000,
  chatFileBytes: 50_000_000,
  pictureBytes: 5_000_000,
  messageCharacters: 32_000,
  /** Limits the instructions of a project, which the model gets with each question. */
  projectInstructionCharacters: 8_000,
  /** Limits the sessions of one person. A further sign-in ends the session that was unused for longest. */
  sessions: 100,
} as const;
