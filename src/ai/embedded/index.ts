export { createDetector, type Detector } from "./detect.ts";
