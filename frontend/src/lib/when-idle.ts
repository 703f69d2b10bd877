const latestMs = 500;

/** After what is being drawn is there and takes input: nothing that comes later stands in its way. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: latestMs });
    else setTimeout(resolve);
  });
