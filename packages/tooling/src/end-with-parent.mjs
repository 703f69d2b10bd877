// Ends this process when the one that started it is gone, however that ended: preloaded into jest and, with its flags, into
// jest's workers. Otherwise they would go on, with all servers and browsers that they have started.
if (process.channel) {
  process.once('disconnect', () => process.exit(143));
  // A listener alone must not keep the process running.
  process.channel.unrefCounted();
}
