type CodedError = Error & {
  code?: string;
  port?: number;
  address?: string;
  extras?: { errors?: readonly { path: string; message: string }[] };
};

/** One clear sentence for every reason not to start; the full error is in the log or behind PARLEY_LOG_LEVEL=debug. */
export function sentenceOf(error: unknown): string {
  const { name, message, code, port, address, extras } = error as CodedError;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use: stop what listens there or choose another one with --port.`;
    case 'EACCES':
      return `Listening on port ${port} is not allowed for this user: choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `The address ${address ?? ''} is not one of this machine: choose another one with --host.`;
    case 'data-folder-locked':
      return `The data folder is in use by another Parley (${message}): stop it first or choose another folder with --data.`;
    case 'data-newer':
      return `The data was written by a newer Parley (${message}): update Parley.`;
    case 'data-unwritable':
      return `The data folder cannot be written to (${message}): choose another one with --data or change its permissions.`;
    case 'ENOENT':
      return `A file is missing: ${message}.`;
    default:
      if (name === 'Problem')
        return [message, ...(extras?.errors ?? []).map((fault) => `${fault.path}: ${fault.message}`)].join('; ');
      return name === 'Error' || name === 'ConfigError' || name === 'StartRefused' ? message : `${name}: ${message}`;
  }
}
