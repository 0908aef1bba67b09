# A project that has found another MLIR before, in another folder.
cmake_minimum_required(VERSION 3.20)
project(other LANGUAGES C CXX)
add_library(MLIRSupport STATIC IMPORTED)
add_library(MLIR SHARED IMPORTED)
set_target_properties(MLIR PROPERTIES IMPORTED_LOCATION /elsewhere/libMLIR.so.21.1)
find_package(PtxTile REQUIRED CONFIG)
