/**
 * Counts up with each release whose stored rows an older version must not touch: all processes stop for the upgrade,
 * and the way back is the backup. This is the format of a data folder, and part of each service's schema version on
 * MongoDB. 1 was everything up to 0.3.0; 2 and 3 were in no release.
 */
export const storageGeneration = 4;
