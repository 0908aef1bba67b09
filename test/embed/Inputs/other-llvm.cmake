# A project that has found another MLIR before.
cmake_minimum_required(VERSION 3.20)
project(other LANGUAGES C CXX)
add_library(MLIR SHARED IMPORTED)
set(MLIR_VERSION 21.1.0)
find_package(PtxTile REQUIRED CONFIG)
